/** What the harness takes for a secret, and the redactor that replaces it in everything that is kept. */
import { createRedactor, isRedactable, type Redactor, type Secret } from '../journal/index.ts';
import { type Manifest, referencesIn } from '../manifest/index.ts';
import { reservedWords } from '../protocol/index.ts';
import { looksLikeCredential } from './credential-names.ts';
import { type McpServer, referenceIn, valuesOf } from './servers.ts';

export interface SecretSources {
  readonly manifest: Pick<Manifest, 'env'>;
  readonly servers: readonly McpServer[];
  /** Where references lead, and where credentials stand that nobody referred to. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface Redaction {
  readonly redactor: Redactor;
  /** The text is the value of a known secret. */
  isSecret(text: string): boolean;
  /** Names of variables whose value is too short, or too ordinary, to be replaced. */
  readonly notRedacted: readonly string[];
}

export const redactionFor = async (sources: SecretSources): Promise<Redaction> => {
  const reserved = await reservedWords();
  const found = secretsIn(sources);
  const usable = found.filter(secret => isRedactable(secret, reserved));
  const values = new Set(found.map(({ value }) => value));
  return {
    redactor: createRedactor(usable, reserved, { structural: true }),
    isSecret: text => values.has(text),
    notRedacted: [
      ...new Set(
        found.filter(secret => secret.isReferred && !usable.includes(secret)).map(({ name }) => name),
      ),
    ].sort(),
  };
};

interface Found extends Secret {
  /** The user relies on it: not just a value under the name of a credential, or the text of a reference. */
  readonly isReferred: boolean;
}

const secretsIn = ({ manifest, servers, variables }: SecretSources): readonly Found[] => {
  const referred = Object.values(referencesIn(manifest));
  const found = (name: string, value: string | undefined, isReferred = true): readonly Found[] =>
    value ? [{ name, value, isReferred }] : [];
  const ofServers = servers.flatMap(server =>
    valuesOf(server).flatMap(([name, value]) => {
      const reference = referenceIn(value);
      if (reference !== undefined) return found(reference, variables[reference]);
      // Another literal is no secret; where it stands, it is replaced all the same.
      return looksLikeCredential(name) ? found(name, value as string) : [];
    }),
  );
  const ambient = Object.entries(variables).flatMap(([name, value]) =>
    looksLikeCredential(name) ? found(name, value, false) : [],
  );
  return [
    ...referred.flatMap(name => found(name, variables[name])),
    ...referred.flatMap(name => found(name, `\${${name}}`, false)),
    ...ofServers,
    ...ambient,
  ];
};
