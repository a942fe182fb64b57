import { exitCode, UserError } from '../../base/index.ts';
import { choice, flag, positional } from '../arg.ts';
import { defineCommand } from '../command.ts';
import { printRows, type Row } from '../rows.ts';

const subjects = ['scenarios', 'requirements', 'rules', 'mock-agents', 'profiles', 'releases'] as const;

export default defineCommand({
  name: 'list',
  summary: 'List scenarios, requirements, rules, mock agents, profiles, schema releases',
  args: {
    what: {
      ...positional('what', subjects.join(', ')),
      parse: ([word], place) => choice(...subjects)(word!, place),
    },
    coverage: flag('requirements: what judges each that binds agents, and what is not judged yet'),
    json: flag('print JSON and nothing else'),
  },
  examples: ['list scenarios', 'list requirements --json', 'list requirements --coverage'],
  async run({ args, out }) {
    if (args.coverage && args.what !== 'requirements')
      throw new UserError('is of requirements; write list requirements --coverage', { place: '--coverage' });
    const printJson = (value: unknown) => out.write(`${JSON.stringify(value, null, 2)}\n`);
    if (args.coverage) {
      const { printCoverage } = await import('../coverage.ts');
      const summary = await coverage();
      if (args.json) printJson(summary);
      else printCoverage(summary, out);
      return exitCode.asExpected;
    }
    const rows = await rowsOf[args.what as (typeof subjects)[number]]();
    if (args.json) printJson(rows);
    else printRows(rows, out);
    return exitCode.asExpected;
  },
});

const coverage = async () => {
  const { coverageOf } = await import('../../bench/index.ts');
  const { loadCatalogue } = await import('../../catalogue/index.ts');
  const { allRules } = await import('../../rules/index.ts');
  const { loadScenarios } = await import('../../script-library/index.ts');
  const { summariseCoverage } = await import('../coverage.ts');
  const scenarios = (await loadScenarios()).map(({ script }) => script);
  return summariseCoverage(coverageOf(loadCatalogue(), allRules, scenarios));
};

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
