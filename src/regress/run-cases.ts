/** Runs cases side by side; all sessions share one guardian and one temporary root. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../base/index.ts';
import { type FrameRecord, type HarnessHost, startHost } from '../harness/index.ts';
import { loadSchemaTest, type SchemaTest } from '../script/index.ts';
import { createCaseFolder } from './case-folder.ts';
import { type Mistake, mistakesIn } from './check.ts';
import type { LoadedCase } from './load-cases.ts';
import { perform } from './perform.ts';

export interface CaseResult {
  readonly id: string;
  readonly case: string;
  readonly section: string;
  readonly title: string;
  readonly patch: string;
  /** `error`: the bench itself failed. */
  readonly verdict: 'pass' | 'fail' | 'error';
  readonly durationMs: number;
  readonly mistakes: readonly Mistake[];
  /** Why the bench failed. */
  readonly reason?: string;
  readonly frames: readonly FrameRecord[];
}

export interface RunCasesOptions {
  /** At the same time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Where journals are left, one per case that has one, as `<section>-<name>.jsonl`. Default: they are removed. */
  readonly journals?: string;
  readonly onResult: (result: CaseResult) => void;
}

/** Cases that were not begun when the signal came have no result. */
export const runCases = async (
  cases: readonly LoadedCase[],
  { jobs, signal, journals, onResult }: RunCasesOptions,
): Promise<readonly CaseResult[]> => {
  const host = await startHost();
  const kept = journals ?? mkdtempSync(join(tmpdir(), 'acp-testbench-journals-'));
  const fits = await loadSchemaTest();
  const results: CaseResult[] = [];
  const queue = [...cases];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      const result = await runCase(next, { host, fits, journals: kept });
      results.push(result);
      onResult(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, work));
  } finally {
    await host.end();
    if (journals === undefined) rmSync(kept, { recursive: true, force: true });
  }
  return results;
};

interface Setting {
  readonly host: HarnessHost;
  readonly fits: SchemaTest;
  readonly journals: string;
}

const runCase = async (loaded: LoadedCase, { host, fits, journals }: Setting): Promise<CaseResult> => {
  const { id, section } = loaded;
  const { case: number, name, title, patch, expect } = loaded.case;
  const began = performance.now();
  const folder = createCaseFolder();
  const journalPath = join(journals, `${section}-${name}.jsonl`);
  const ended = (
    result: Pick<CaseResult, 'verdict' | 'mistakes' | 'frames'> & { reason?: string },
  ): CaseResult => ({
    id,
    case: number,
    section,
    title,
    patch,
    durationMs: performance.now() - began,
    ...result,
  });
  try {
    const performed = await perform(loaded, folder, { host, fits, journalPath });
    const journal = existsSync(journalPath) ? readFileSync(journalPath, 'utf8') : '';
    const mistakes = mistakesIn(performed, folder.filled(expect), journal, fits);
    return ended({ verdict: mistakes.length === 0 ? 'pass' : 'fail', mistakes, frames: performed.frames });
  } catch (error) {
    const reason = error instanceof UserError ? error.message : String((error as Error).stack);
    return ended({ verdict: 'error', mistakes: [], frames: [], reason });
  } finally {
    folder.remove();
  }
};
