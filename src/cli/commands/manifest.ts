import { exitCode, UserError } from '../../base/index.ts';
import { choice, flag, positional, word } from '../arg.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'manifest',
  summary: 'Check a launch manifest, or write it out in full',
  args: {
    what: word(
      'validate|export',
      'check it, or print it with every default and sorted keys',
      choice('validate', 'export'),
    ),
    file: positional('file', 'JSON file of the manifest; - for standard input'),
    checkLocal: flag('look for the executable and the variables on this machine; starts nothing'),
    json: flag('print what was found as JSON and nothing else'),
  },
  examples: ['manifest validate --check-local agent.json', 'manifest export - < agent.json'],
  async run({ args, out }) {
    const { exportManifest, loadManifest, validateManifest } = await import('../../manifest/index.ts');
    if (args.what === 'export' && (args.checkLocal || args.json))
      throw new UserError('goes with "manifest validate" only', {
        place: args.json ? '--json' : '--check-local',
      });
    const manifest = await loadManifest(args.file);
    if (args.what === 'export') {
      out.write(exportManifest(manifest));
      return exitCode.asExpected;
    }
    const found = validateManifest(manifest, { checkLocal: args.checkLocal });
    if (args.json) out.write(`${JSON.stringify(found, null, 2)}\n`);
    else {
      const { executable, localReady, missingEnvironment, warning } = found;
      out.line(`${args.file}  ok`);
      if (executable !== null) out.line(`executable  ${executable}`);
      if (localReady === false)
        out.line(`not ready   ${warning ?? `${executable} is not there, or not executable`}`);
      if (localReady) out.line('ready       it can be started here');
      if (warning?.startsWith('Executable') && missingEnvironment.length > 0)
        out.line(`            Missing environment variables: ${missingEnvironment.join(', ')}`);
    }
    return found.localReady === false ? exitCode.notAsExpected : exitCode.asExpected;
  },
});
