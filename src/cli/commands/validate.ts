import { extname } from 'node:path';
import { exitCode, parseYamlFile, readTextFile, UserError } from '../../base/index.ts';
import { choice, option, rest } from '../arg.ts';
import { defineCommand } from '../command.ts';

const kinds = ['script', 'profile', 'manifest', 'journal', 'report', 'catalogue'] as const;
type Kind = (typeof kinds)[number];

export default defineCommand({
  name: 'validate',
  summary: 'Check scripts, profiles, manifests, journals, reports and catalogues',
  args: {
    files: rest('file', 'files to check', true),
    kind: option('kind', `${kinds.join(', ')}; default: told by the content`, choice(...kinds), undefined),
  },
  examples: ['validate scenarios/cancel/streaming.yaml my-profile.yaml'],
  async run({ args, out }) {
    let wrong = 0;
    for (const file of args.files) {
      try {
        const kind = args.kind ?? (await kindOf(file));
        const remark = await check[kind](file);
        out.line(`${file}  ok (${kind}${remark ?? ''})`);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        wrong += 1;
        out.notice(error.message);
      }
    }
    return wrong > 0 ? exitCode.notAsExpected : exitCode.asExpected;
  },
});

/** Each may say something about a file that is right. */
const check: Readonly<Record<Kind, (file: string) => Promise<string | undefined>>> = {
  async script(file) {
    const { loadScriptFile } = await import('../../script-library/index.ts');
    const { script } = await loadScriptFile(file);
    if (script.role !== 'agent') return undefined;
    const { checkBehaviour } = await import('../../mock-agent/index.ts');
    await checkBehaviour(script, file);
    return undefined;
  },
  async profile(file) {
    const { loadProfile } = await import('../../profile/index.ts');
    await loadProfile(file);
    return undefined;
  },
  async manifest(file) {
    const { loadManifest } = await import('../../manifest/index.ts');
    await loadManifest(file);
    return undefined;
  },
  async journal(file) {
    const { readJournal } = await import('../../journal/index.ts');
    const { entries, truncated } = readJournal(file);
    for (const _ of entries);
    return truncated ? '; it ends within a line, as after a crash' : undefined;
  },
  report: file => bySchema(file, 'schemas/report.schema.json'),
  catalogue: file => bySchema(file, 'schemas/catalogue.schema.json'),
};

const bySchema = async (file: string, schema: string): Promise<undefined> => {
  await parseYamlFile(file, { schema });
};

/** Told by the members that only one kind has. */
const kindOf = async (file: string): Promise<Kind> => {
  if (extname(file) === '.jsonl') return 'journal';
  const members = membersOf(await readTextFile(file));
  if (members.includes('role')) return 'script';
  if (members.includes('positions')) return 'catalogue';
  if (members.includes('header')) return 'report';
  return extname(file) === '.json' ? 'manifest' : 'profile';
};

/** Names at the top of a JSON or YAML text, whatever else is wrong with it. */
const membersOf = (text: string): readonly string[] => {
  try {
    return Object.keys(JSON.parse(text));
  } catch {
    return [...text.matchAll(/^([\w-]+)\s*:/gm)].map(([, name]) => name!);
  }
};
