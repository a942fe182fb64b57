/** What the tests of the harness build their world with. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AcpAgent,
  type AcpAgentFields,
  acpAgent,
  type HarnessSession,
} from '../../src/harness/index.ts';
import type { JsonObject } from '../../src/wire/index.ts';

const program = fileURLToPath(new URL('fixtures/agent.mjs', import.meta.url));

/** The agent of the fixtures; see there for what it can do. */
export const agentThat = (what: string, argument = '', fields: Partial<AcpAgentFields> = {}): AcpAgent =>
  acpAgent({
    model: 'none',
    manifest: { command: process.execPath, args: [program, what, argument] },
    ...fields,
  });

/** An agent whose manifest names variables as well. */
export const agentWith = (
  env: Readonly<Record<string, string>>,
  what = 'environment',
  argument = '',
): AcpAgent =>
  agentThat(what, argument, {
    manifest: { command: process.execPath, args: [program, what, argument], env },
  });

/**
 * Calls back with a folder that is the temporary folder of the system meanwhile.
 * @throws Error when something was left in it
 */
export const inTemp = async (test: (folder: string) => unknown): Promise<void> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-test-')));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    await test(folder);
    const left = readdirSync(folder);
    if (left.length > 0) throw new Error(`left in the temporary folder: ${left.join(', ')}`);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true });
  }
};

/** Ends the session whatever the test does. */
export const withSession = async (
  opening: Promise<HarnessSession>,
  test: (session: HarnessSession) => Promise<void>,
): Promise<void> => {
  const session = await opening;
  try {
    await test(session);
  } finally {
    await session.close();
  }
};

/** Frames as they come, and the moment of the first that fits. */
export const watchFrames = () => {
  const frames: JsonObject[] = [];
  const waiting = new Set<() => void>();
  return {
    frames,
    onFrame({ payload }: { readonly payload: unknown }) {
      frames.push(payload as JsonObject);
      for (const look of waiting) look();
    },
    until: (fits: (frame: JsonObject) => boolean): Promise<JsonObject> =>
      new Promise(resolve => {
        const look = (): void => {
          const found = frames.find(fits);
          if (!found) return;
          waiting.delete(look);
          // Whoever recorded the frame is still at work on it.
          setImmediate(resolve, found);
        };
        waiting.add(look);
        look();
      }),
  };
};
