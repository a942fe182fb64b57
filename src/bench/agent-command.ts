/** The command line of the agent, wherever the user named it, and the secrets that go with it. */
import { UserError } from '../base/index.ts';
import type { Secret } from '../journal/index.ts';
import { loadManifest, resolveReferences } from '../manifest/index.ts';
import type { Profile } from '../profile/index.ts';
import { namedSecrets } from './named-secrets.ts';
import type { CertifyRequest } from './prepare-certify.ts';

/** @throws UserError when no command is named, two are, or a variable that is referred to is not set */
export const agentCommand = async (
  request: Pick<CertifyRequest, 'command' | 'manifest' | 'secrets' | 'parentEnv'>,
  profile: Profile | undefined,
): Promise<{ readonly command: readonly [string, ...string[]]; readonly secrets: readonly Secret[] }> => {
  const named = namedSecrets(request.secrets, request.parentEnv);
  if (request.manifest === undefined) {
    const [program, ...args] = request.command.length > 0 ? request.command : (profile?.command ?? []);
    if (program === undefined) {
      throw new UserError(
        'no agent to certify; give its command after --, or name a --manifest or a --profile that has one',
      );
    }
    return { command: [program, ...args], secrets: named };
  }
  if (request.command.length > 0) {
    throw new UserError('the manifest names the command already; leave one of the two away', {
      place: '--manifest',
    });
  }
  const manifest = await loadManifest(request.manifest);
  const referred = Object.entries(resolveReferences(manifest, request.parentEnv)).map(([name, value]) => ({
    name,
    value,
  }));
  return { command: [manifest.command, ...manifest.args], secrets: [...referred, ...named] };
};
