import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { exitCode, UserError } from '../../base/index.ts';
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
        const kind = args.kind ?? kindOf(file);
        await check[kind](file);
        out.line(`${file}  ok (${kind})`);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        wrong += 1;
        out.notice(error.message);
      }
    }
    return wrong > 0 ? exitCode.notAsExpected : exitCode.asExpected;
  },
});

const check: Readonly<Record<Kind, (file: string) => Promise<unknown>>> = {
  async script(file) {
    const { loadScriptFile } = await import('../../script-library/index.ts');
    return loadScriptFile(file);
  },
  async profile(file) {
    const { loadProfile } = await import('../../profile/index.ts');
    return loadProfile(file);
  },
  async manifest(file) {
    const { loadManifest } = await import('../../manifest/index.ts');
    return loadManifest(file);
  },
  async journal(file) {
    const { readJournal } = await import('../../journal/index.ts');
    for (const _ of readJournal(file).entries);
  },
  report: file => bySchema(file, 'schemas/report.schema.json'),
  catalogue: file => bySchema(file, 'schemas/catalogue.schema.json'),
};

const bySchema = async (file: string, schema: string): Promise<unknown> => {
  const { parseYamlFile } = await import('../../base/index.ts');
  return parseYamlFile(file, { schema });
};

/** Told by the members that only one kind has. */
const kindOf = (file: string): Kind => {
  if (extname(file) === '.jsonl') return 'journal';
  const text = readText(file);
  if (/^\s*"?(role)"?\s*:/m.test(text)) return 'script';
  if (/"positions"\s*:/.test(text)) return 'catalogue';
  if (/"header"\s*:/.test(text)) return 'report';
  if (extname(file) === '.json') return 'manifest';
  return 'profile';
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      place: file,
      cause: error,
    });
  }
};
