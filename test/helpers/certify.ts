/** Certifies mock agents in this process or as processes, all scenarios that their triggers allow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../../src/base/index.ts';
import { type CertifyRequest, certify, prepareCertify, type Subject } from '../../src/bench/index.ts';
import type { Report } from '../../src/report/index.ts';
import type { ScriptInstance } from '../../src/script/index.ts';
import { scriptedSubject } from './scripted-subject.ts';

/** A request with the defaults of the command line, but for short waits. */
export const requestFor = (
  command: readonly string[],
  changes: Partial<CertifyRequest> = {},
): CertifyRequest => ({
  command,
  manifest: undefined,
  profile: undefined,
  env: [],
  secrets: [],
  auth: undefined,
  allow: [],
  triggers: [],
  prompts: false,
  home: 'temp',
  workspace: undefined,
  cwd: '.',
  release: 'latest',
  rules: undefined,
  tiers: [],
  only: [],
  skip: [],
  jobs: 8,
  isolate: false,
  timeoutMs: 3_000,
  startTimeoutMs: 20_000,
  settleMs: 100,
  repeat: 1,
  failOn: 'fail',
  allowIncomplete: false,
  maxFailures: undefined,
  out: undefined,
  interrupted: new AbortController().signal,
  parentEnv: process.env,
  ...changes,
});

/**
 * Runs `certify` and removes what it wrote; `read` gets the report and its folder before that.
 * @param instance a mock agent to certify in this process, in place of the request's command
 * @param scenarios what to run in place of the shipped scenarios
 */
export const certified = async <T>(
  request: CertifyRequest,
  read: (report: Report, folder: string) => T | Promise<T>,
  { instance, scenarios }: Replacement = {},
): Promise<T> => {
  const out = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    const plan = await prepareCertify({ ...request, out: request.out ?? out });
    const run = await plan.begin();
    try {
      const { options, folders } = run;
      const subject = instance ? mockSubject(instance, folders) : options.subject;
      const instances = scenarios ?? options.instances;
      const report = await certify({ ...options, instances, subject, onScenario() {} });
      return await read(report, options.folder.path);
    } finally {
      await run.end();
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
};

export interface Replacement {
  /** A mock agent, or one for each start of a process, counted from 1. */
  readonly instance?: ScriptInstance | ((start: number) => ScriptInstance);
  readonly scenarios?: readonly ScriptInstance[];
}

type Folders = Omit<Parameters<typeof scriptedSubject>[0], 'instance'>;

const mockSubject = (instance: NonNullable<Replacement['instance']>, folders: Folders): Subject => {
  if (typeof instance !== 'function') return scriptedSubject({ instance, ...folders });
  let starts = 0;
  return {
    ...scriptedSubject({ instance: instance(1), ...folders }),
    start(place) {
      starts += 1;
      return scriptedSubject({ instance: instance(starts), ...folders }).start(place);
    },
  };
};

/** The command line that runs a mock agent as a process. */
export const mockAgentCommand = (id: string): readonly string[] => [
  process.execPath,
  shipped('dist/cli/main.js'),
  'mock-agent',
  id,
];
