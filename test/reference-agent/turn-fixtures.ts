/** What the tests of turns have in common: a folder to work in, answers of a client, and what tool calls reported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Json, JsonObject } from '../../src/wire/index.ts';

/** A folder that lasts as long as the test. */
export const workspace = async (test: TestContext, files: Record<string, string> = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'reference-agent-'));
  test.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

/** Items of the content of tool calls, in order. */
export const contentOf = (updates: readonly JsonObject[]): readonly JsonObject[] =>
  updates.flatMap(({ content }) => (Array.isArray(content) ? content : []));

export const completed: Json[] = ['pending', 'in_progress', 'completed'];
export const failed: Json[] = ['pending', 'in_progress', 'failed'];

/** Answers a permission request with the option of this kind. */
export const optionOf = (kind: string) => (params: JsonObject) => ({
  outcome: {
    outcome: 'selected',
    optionId: (params.options as JsonObject[]).find(option => option.kind === kind)!.optionId!,
  },
});
