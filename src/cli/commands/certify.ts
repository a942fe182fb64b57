import { availableParallelism } from 'node:os';
import { counted, exitCode, visible } from '../../base/index.ts';
import type { CertifyRequest, Tier } from '../../bench/index.ts';
import { choice, duration, flag, list, option, pair, rest, text, wholeNumber } from '../arg.ts';
import { defineCommand } from '../command.ts';
import { judgingArgs } from '../judging-args.ts';

const tierNames = ['core', 'turn', 'scripted'] as const satisfies readonly Tier[];

export default defineCommand({
  name: 'certify',
  summary: 'Run the scenarios against an agent and grade it',
  passThrough: true,
  args: {
    command: rest('command', 'the agent and its arguments, after -- or as first plain words', false),
    manifest: option('file', 'launch manifest that names the command and its variables', text, undefined),
    profile: option('name|file', 'what the bench must know of the agent; see list profiles', text, undefined),
    env: list('NAME=value', 'variable for the agent', pair),
    secret: list('NAME', "variable for the agent with this process's value, redacted everywhere", text),
    auth: option('method', 'authenticate with this method before the first session', text, undefined),
    allow: list('request', 'allow a request that changes the world: logout', choice('logout')),
    trigger: list('name=text', 'prompt that makes the agent do a given thing, such as permission', pair),
    prompts: flag('allow ordinary prompts (they may cost money); turns on the turn tier'),
    home: option('temp|inherit|folder', 'HOME of the agent; default: temp, a new one each', text, 'temp'),
    workspace: option('folder', 'workspace of the sessions; default: a temporary one each', text, undefined),
    cwd: option('folder', "directory of the agent's process; default: this one", text, '.'),
    ...judgingArgs,
    tier: list(
      'tier',
      'core, turn, scripted; default: as far as prompts and triggers go',
      choice(...tierNames),
    ),
    only: list('name', 'only these scenarios: an id, area/*, or a requirement', text),
    skip: list('name', 'not these scenarios', text),
    jobs: option(
      'n',
      'scenarios at the same time; default: two per processor',
      wholeNumber(1),
      2 * availableParallelism(),
    ),
    isolate: flag('a process of its own for each scenario; default: those that only read share one'),
    timeout: option('duration', 'how long to wait for an answer; default: 10s', duration, 10_000),
    startTimeout: option('duration', 'how long the first launch may take; default: 5m', duration, 300_000),
    repeat: option('n', 'run everything n times; what differs is unstable', wholeNumber(1), 1),
    allowIncomplete: flag('exit 0 although no session and no prompt succeeded'),
    maxFailures: option('n', 'stop after n failed scenarios', wholeNumber(1), undefined),
    lastFailed: flag('only the scenarios that did not pass in the last report'),
    out: option('folder', 'folder of the report; default: reports/<time>', text, undefined),
    dryRun: flag('say what would be run, and start nothing'),
  },
  examples: [
    'certify -- my-agent --acp',
    'certify --profile sdk-example -- node agent.js',
    'certify --only cancel/* --trigger slow-turn="Count to a thousand." -- my-agent --acp',
  ],
  async run({ args, out, interruption }) {
    const { certify, failedIn, lastReport, prepareCertify, promptsOf } = await import('../../bench/index.ts');
    const { toConsole, toJson } = await import('../../report/index.ts');
    const { loadCatalogue } = await import('../../catalogue/index.ts');
    const { createProgress } = await import('../progress.ts');

    const request: CertifyRequest = {
      ...args,
      release: args.schema,
      secrets: args.secret,
      triggers: args.trigger,
      tiers: args.tier,
      only: args.lastFailed ? [...args.only, ...failedIn(await lastReport(args.out))] : args.only,
      timeoutMs: args.timeout,
      startTimeoutMs: args.startTimeout,
      settleMs: 300,
      interrupted: interruption(),
      parentEnv: process.env,
    };
    const plan = await prepareCertify(request);
    const prompts = plan.promptsAllowed ? promptsOf(plan.instances, args.repeat) : 0;
    if (args.dryRun && args.json) {
      const { command, tiers, instances } = plan;
      const scenarios = instances.map(({ id, script: { title } }) => ({ id, title }));
      out.write(`${JSON.stringify({ command, tiers, prompts, scenarios }, null, 2)}\n`);
      return exitCode.asExpected;
    }
    const outline = `${counted(plan.instances.length, 'scenario')} (${plan.tiers.join(', ')}), at most ${counted(prompts, 'prompt')}, against ${plan.command.join(' ')}`;
    if (args.dryRun) {
      out.line(visible(outline));
      for (const { id, script } of plan.instances) out.line(`  ${id.padEnd(40)} ${script.title}`);
      return exitCode.asExpected;
    }

    const progress = createProgress(out, {
      total: plan.instances.length * args.repeat,
      verbose: args.verbose,
      silent: args.json,
    });
    const run = await plan.begin();
    if (run.notice !== undefined) out.notice(run.notice);
    if (!args.json) out.line(visible(outline));
    try {
      const report = await certify({ ...run.options, onScenario: progress.scenario });
      progress.end();
      const shown = {
        catalogue: loadCatalogue(),
        colors: out.colors,
        verbose: args.verbose,
        folder: run.options.folder.path,
      };
      out.write(args.json ? toJson(report) : toConsole(report, shown));
      return report.footer!.exitCode;
    } finally {
      progress.end();
      await run.end();
    }
  },
});
