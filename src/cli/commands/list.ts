import { exitCode } from '../../base/index.ts';
import { choice, flag, positional } from '../arg.ts';
import { defineCommand } from '../command.ts';
import type { Output } from '../output.ts';

const subjects = ['scenarios', 'requirements', 'rules', 'mock-agents', 'profiles', 'releases'] as const;

export default defineCommand({
  name: 'list',
  summary: 'List scenarios, requirements, rules, mock agents, profiles, schema releases',
  args: {
    what: {
      ...positional('what', subjects.join(', ')),
      parse: ([word], place) => choice(...subjects)(word!, place),
    },
    json: flag('print a JSON list and nothing else'),
  },
  examples: ['list scenarios', 'list requirements --json'],
  async run({ args, out }) {
    const rows = await rowsOf[args.what as (typeof subjects)[number]]();
    if (args.json) out.write(`${JSON.stringify(rows, null, 2)}\n`);
    else print(rows, out);
    return exitCode.asExpected;
  },
});

type Row = Readonly<Record<string, string>>;

const rowsOf: Readonly<Record<(typeof subjects)[number], () => Promise<readonly Row[]>>> = {
  async scenarios() {
    const { loadScenarios } = await import('../../script-library/index.ts');
    const { tierOfScript } = await import('../../bench/index.ts');
    return (await loadScenarios()).map(({ script }) => ({
      id: script.id,
      tier: tierOfScript(script),
      title: script.title,
    }));
  },
  async requirements() {
    const { loadCatalogue } = await import('../../catalogue/index.ts');
    return [...loadCatalogue().requirements.values()].map(({ id, party, level, needs, statement }) => ({
      id,
      party,
      level,
      needs,
      statement,
    }));
  },
  async rules() {
    const { allRules } = await import('../../rules/index.ts');
    return allRules.map(({ name, requirements }) => ({ name, decides: Object.keys(requirements).join(' ') }));
  },
  async 'mock-agents'() {
    const { loadMockAgents } = await import('../../script-library/index.ts');
    return (await loadMockAgents()).map(({ script }) => ({
      id: script.id,
      breaks: (script.breaks ?? []).join(' '),
      title: script.title,
    }));
  },
  async profiles() {
    const { loadProfile, profileNames } = await import('../../profile/index.ts');
    const profiles = await Promise.all(profileNames().map(name => loadProfile(name)));
    return profiles.map(({ name, title, triggers }) => ({
      name,
      title,
      triggers: Object.keys(triggers).join(' '),
    }));
  },
  async releases() {
    const { loadProtocol, releases } = await import('../../protocol/index.ts');
    const protocols = await Promise.all(releases.map(release => loadProtocol(release)));
    return protocols.map(({ release, methods }) => ({ release, methods: [...methods.keys()].join(' ') }));
  },
};

/** Columns as wide as their content, the last one as it comes. */
const print = (rows: readonly Row[], out: Output): void => {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map(name => Math.max(...rows.map(row => row[name]!.length)));
  for (const row of rows) {
    out.line(
      names
        .map((name, index) => (index === names.length - 1 ? row[name]! : row[name]!.padEnd(widths[index]!)))
        .join('  '),
    );
  }
};
