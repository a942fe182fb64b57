/** Certifies mock agents in this process or as processes, all scenarios that their triggers allow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '../../src/base/index.ts';
import { type CertifyRequest, certify, prepareCertify, scriptedSubject } from '../../src/bench/index.ts';
import type { Report } from '../../src/report/index.ts';
import type { ScriptInstance } from '../../src/script/index.ts';

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

/** Runs `certify` and removes what it wrote; `read` gets the report and its folder before that. */
export const certified = async <T>(
  request: CertifyRequest,
  read: (report: Report, folder: string) => T | Promise<T>,
  { instance }: { readonly instance?: ScriptInstance } = {},
): Promise<T> => {
  const out = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    const plan = await prepareCertify({ ...request, out: request.out ?? out });
    const run = await plan.begin();
    try {
      const { options, folders } = run;
      const subject = instance ? scriptedSubject({ instance, ...folders }) : options.subject;
      const report = await certify({ ...options, subject, onScenario() {} });
      return await read(report, options.folder.path);
    } finally {
      await run.end();
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
};

/** The command line that runs a mock agent as a process. */
export const mockAgentCommand = (id: string): readonly string[] => [
  process.execPath,
  shipped('dist/cli/main.js'),
  'mock-agent',
  id,
];
