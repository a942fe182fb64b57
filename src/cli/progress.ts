/** What a user sees while scenarios run: a line each, one line per area under CI, and what is left on a terminal. */
import { createLogUpdate } from 'log-update';
import { counted } from '../base/index.ts';
import { type ScenarioResult, scenarioLine } from '../report/index.ts';
import type { Output } from './output.ts';

export interface Progress {
  scenario(result: ScenarioResult): void;
  /** Clears what only made sense while the run went on. */
  end(): void;
}

export interface ProgressOptions {
  readonly total: number;
  readonly verbose: boolean;
  /** Nothing but the report goes to stdout. */
  readonly silent: boolean;
}

export const createProgress = (out: Output, options: ProgressOptions): Progress => {
  if (options.silent) return { scenario() {}, end() {} };
  if (process.env.CI && !options.verbose) return byArea(out);
  return out.interactive ? onTerminal(out, options.total) : byLine(out);
};

const byLine = (out: Output): Progress => ({
  scenario: result => out.line(scenarioLine(result, out.colors)),
  end() {},
});

const onTerminal = (out: Output, total: number): Progress => {
  const status = createLogUpdate(process.stderr);
  let finished = 0;
  return {
    scenario(result) {
      finished += 1;
      status.clear();
      out.line(scenarioLine(result, out.colors));
      status(out.colors.dim(`${finished} of ${total} scenarios`));
    },
    end: () => status.clear(),
  };
};

/** One line per area, and a line for each scenario that did not go well. */
const byArea = (out: Output): Progress => {
  const counts = new Map<string, number>();
  return {
    scenario(result) {
      const area = result.id.split('/', 1)[0]!;
      counts.set(area, (counts.get(area) ?? 0) + 1);
      if (result.verdict === 'fail' || result.verdict === 'bench-error')
        out.line(scenarioLine(result, out.colors));
    },
    end() {
      for (const [area, count] of counts) out.line(`${area}: ${counted(count, 'scenario')}`);
    },
  };
};
