/** Which agent a run selects, and with which mode and options. Source: the harness reference, "Agent fields". */
import { UserError } from '../base/index.ts';
import { isObject } from '../wire/index.ts';

export interface AcpAgent {
  readonly kind: 'acp';
  /** 1 to 128 characters. */
  readonly name: string;
  /** A launch manifest, as `validateManifest` takes it. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Of the modes that the agent offers; it is set before the first prompt. */
  readonly agentModeId: string | undefined;
  /** Option id -> value; set in this order before the first prompt. */
  readonly sessionConfig: Readonly<Record<string, string | boolean>>;
  /** A label for records; no agent ever sees it. */
  readonly model: string;
  readonly runtime: 'system';
}

export interface AcpAgentFields {
  readonly kind?: 'acp';
  readonly name?: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly agentModeId?: string | null;
  readonly sessionConfig?: Readonly<Record<string, string | boolean>>;
  readonly model: string;
  readonly runtime?: 'system' | 'managed' | null;
}

/**
 * Checks the fields and fills in the defaults. What comes back can no longer be changed.
 * @throws UserError whose place is the field
 */
export const acpAgent = (fields: AcpAgentFields): AcpAgent => {
  if (!isObject(fields)) throw new UserError('an agent must be an object of fields');
  const unknown = Object.keys(fields).filter(name => !known.has(name));
  if (unknown.length > 0) throw new UserError(`unknown agent fields: ${unknown.sort().join(', ')}`);
  const {
    kind = 'acp',
    name = 'acp',
    manifest = {},
    agentModeId,
    sessionConfig = {},
    model,
    runtime,
  } = fields;
  if (kind !== 'acp') throw wrong('kind', 'must be "acp"');
  if (!isText(name, 128)) throw wrong('name', 'must be a text of 1 to 128 characters');
  if (!isObject(manifest)) throw wrong('manifest', 'must be an object');
  if (agentModeId != null && !isText(agentModeId, 256))
    throw wrong('agentModeId', 'must be a text of 1 to 256 characters, or absent');
  if (!isText(model, 512)) throw wrong('model', 'must be a text of 1 to 512 characters');
  if (runtime === 'managed') throw wrong('runtime', 'managed runtime is supported only for native harnesses');
  if (runtime != null && runtime !== 'system') throw wrong('runtime', 'must be "system", or absent');
  checkSessionConfig(sessionConfig);
  return deepFreeze({
    kind,
    name,
    manifest: structuredClone(manifest),
    agentModeId: agentModeId ?? undefined,
    sessionConfig: { ...sessionConfig },
    model,
    runtime: 'system',
  });
};

const known: ReadonlySet<string> = new Set([
  'kind',
  'name',
  'manifest',
  'agentModeId',
  'sessionConfig',
  'model',
  'runtime',
]);

const checkSessionConfig = (sessionConfig: unknown): void => {
  if (!isObject(sessionConfig)) throw wrong('sessionConfig', 'must be an object');
  for (const [id, value] of Object.entries(sessionConfig)) {
    if (id === '') throw wrong('sessionConfig', 'ACP session configuration keys must be non-empty text');
    if (typeof value !== 'string' && typeof value !== 'boolean')
      throw wrong('sessionConfig', 'ACP session configuration values must be text or boolean');
  }
};

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= longest;

const wrong = (field: string, message: string): UserError => new UserError(message, { place: field });

const deepFreeze = <T extends object>(value: T): T => {
  for (const member of Object.values(value))
    if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
};
