import { didYouMean, exitCode, UserError } from '../../base/index.ts';
import type { Catalogue, Requirement } from '../../catalogue/index.ts';
import { positional } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'explain',
  summary: 'Say what a requirement demands, why, and what tests it',
  args: { requirement: positional('requirement', 'an id such as CANCEL-02, or an acp-tck id') },
  examples: ['explain CANCEL-02'],
  async run({ args, out }) {
    const { loadCatalogue } = await import('../../catalogue/index.ts');
    const catalogue = loadCatalogue();
    const ids = catalogue.matching(args.requirement);
    if (ids.length === 0) {
      const known = [...catalogue.requirements.keys()];
      throw new UserError(
        `no requirement "${args.requirement}"${didYouMean(args.requirement.toUpperCase(), known) || '; see acp-testbench list requirements'}`,
      );
    }
    for (const id of ids) out.write(await explain(catalogue.requirements.get(id)!, catalogue));
    return exitCode.asExpected;
  },
});

const explain = async (requirement: Requirement, catalogue: Catalogue): Promise<string> => {
  const { id, level, party, statement, url, source, since, basis, needs, verdict } = requirement;
  const lines = [
    `${id}  ${level}  (${party === 'both' ? 'both parties' : `the ${party}`}, since ${since}, basis: ${basis})`,
    '',
    statement,
    url ?? source,
    '',
    ...field('exercised by', requirement.opportunity),
    ...field('how tested', requirement.test),
    ...field('needs', needs),
    ...field('applies', conditionText(requirement)),
    ...field('requires', requirement.requires.join(', ')),
    ...field('depends on', requirement.dependsOn?.join(', ')),
    ...field(
      'a violation',
      [verdict, ...(requirement.cases ?? []).map(each => `${each.verdict} when ${each.when}`)].join('; '),
    ),
    ...field('position', positionText(requirement, catalogue)),
    ...field('disputed', requirement.disputed_reason),
    ...field('why so', requirement.verdict_reason),
    ...field('notes', requirement.notes),
    ...field('rules', (await rulesOf(id)).join(', ')),
    ...field('scenarios', (await scenariosOf(id)).join(', ')),
  ];
  return `${lines.join('\n')}\n\n`;
};

const field = (label: string, text: string | undefined): string[] =>
  text ? [`${label.padEnd(13)} ${text}`] : [];

const conditionText = ({ applies }: Requirement): string =>
  [...applies.agent, ...applies.client]
    .map(term => (typeof term === 'string' ? term : `(${term.join(' and ')})`))
    .join(' or ');

const positionText = ({ position }: Requirement, { positions }: Catalogue): string | undefined => {
  const known = position === undefined ? undefined : positions.get(position);
  return known && `${known.id} ${known.topic}: ${known.position}`;
};

const rulesOf = async (id: string): Promise<readonly string[]> => {
  const { rulesFor } = await import('../../rules/index.ts');
  return rulesFor(id).map(({ name }) => name);
};

const scenariosOf = async (id: string): Promise<readonly string[]> => {
  const { loadScenarios } = await import('../../script-library/index.ts');
  const { requirementsOf } = await import('../../bench/index.ts');
  return (await loadScenarios())
    .filter(({ script }) => requirementsOf(script).includes(id))
    .map(({ script }) => script.id);
};
