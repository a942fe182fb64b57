/** Checks the shape of a manifest and, when asked, whether this machine could start it. */
import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { UserError } from '../base/index.ts';
import { resolveCommand } from '../process/index.ts';
import { isObject } from '../wire/index.ts';
import { type Fault, faultsIn, unknownFields } from './faults.ts';
import { type Manifest, missingReferences } from './manifest.ts';

/** A value that is no manifest. The message has one part per fault: `field: what is wrong`. */
export class ManifestValidationError extends UserError {
  readonly faults: readonly Fault[];

  constructor(message: string, faults: readonly Fault[] = [], options: { readonly place?: string } = {}) {
    super(message, options);
    this.faults = faults;
  }
}

export interface Validation {
  readonly valid: true;
  readonly manifest: Manifest;
  /** Absolute path of the executable, or null where there is none on PATH or nobody looked. */
  readonly executable: string | null;
  /** Whether it could be started here; null where nobody looked. */
  readonly localReady: boolean | null;
  /** Variables of this machine that are referred to and not set, sorted. */
  readonly missingEnvironment: readonly string[];
  /** What to mend before it can be started here. */
  readonly warning?: string;
}

export interface ValidateOptions {
  /** Look for the executable and the variables on this machine. Nothing is started. */
  readonly checkLocal?: boolean;
  /** Variables of this machine. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Without `checkLocal` it looks at nothing but the value.
 * @throws ManifestValidationError
 */
export const validateManifest = (value: unknown, options: ValidateOptions = {}): Validation => {
  if (!isObject(value)) throw new ManifestValidationError('manifest must be an object', [whole]);
  const unknown = unknownFields(value);
  if (unknown.length > 0) {
    const faults = unknown.map(name => ({
      field: name,
      pointer: `/${name}`,
      part: 'key' as const,
      message: 'unknown',
    }));
    throw new ManifestValidationError(`unknown manifest fields: ${unknown.join(', ')}`, faults);
  }
  const faults = faultsIn(value);
  if (faults.length > 0) {
    throw new ManifestValidationError(
      faults.map(({ field, message }) => `${field}: ${message}`).join('; '),
      faults,
    );
  }
  const manifest = withDefaults(value as Partial<Manifest> & Pick<Manifest, 'command'>);
  if (!options.checkLocal) {
    return { valid: true, manifest, executable: null, localReady: null, missingEnvironment: [] };
  }
  return { valid: true, manifest, ...lookedUp(manifest, options.environment ?? process.env) };
};

const whole: Fault = { field: '', pointer: '', part: 'value', message: 'must be an object' };

const withDefaults = ({
  command,
  args = [],
  env = {},
}: Partial<Manifest> & Pick<Manifest, 'command'>): Manifest => ({
  schema_version: 'm3.harness.v1',
  protocol: 'acp',
  protocol_version: 1,
  command,
  args: [...args],
  env: { ...env },
});

const lookedUp = (
  manifest: Manifest,
  environment: Readonly<Record<string, string | undefined>>,
): Omit<Validation, 'valid' | 'manifest'> => {
  const { command } = manifest;
  const executable = isAbsolute(command) ? command : found(command, environment.PATH);
  const missingEnvironment = missingReferences(manifest, environment);
  const warning =
    executable === null
      ? `Executable is unavailable: ${command}`
      : missingEnvironment.length > 0 && `Missing environment variables: ${missingEnvironment.join(', ')}`;
  return {
    executable,
    localReady: executable !== null && isExecutable(executable) && missingEnvironment.length === 0,
    missingEnvironment,
    ...(warning && { warning }),
  };
};

const found = (command: string, path: string | undefined): string | null => {
  try {
    return resolveCommand(command, { cwd: process.cwd(), path }).file;
  } catch {
    return null;
  }
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
