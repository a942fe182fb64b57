/** What is wrong with a value that should be a manifest, field by field; schemas/manifest.schema.json says the same. */
import { isObject } from '../wire/index.ts';

export interface Fault {
  /** `args.1`, or empty for the whole. */
  readonly field: string;
  /** JSON pointer of the value, or of the key where that is wrong. */
  readonly pointer: string;
  readonly part: 'value' | 'key';
  readonly message: string;
}

/** Names that nobody knows, before anything else is looked at; then every fault of the fields, in their order. */
export const unknownFields = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(value)
    .filter(name => !Object.hasOwn(checks, name))
    .sort();

export const faultsIn = (value: Readonly<Record<string, unknown>>): readonly Fault[] => [
  ...(value.command === undefined ? [fault('command', 'is missing; name the executable to start', '')] : []),
  ...Object.entries(checks).flatMap(([name, check]) => (value[name] === undefined ? [] : check(value[name]))),
];

const fault = (
  field: string,
  message: string,
  pointer = `/${field.replaceAll('.', '/')}`,
  part: Fault['part'] = 'value',
): Fault => ({ field, pointer, part, message });

const literal =
  (field: string, wanted: string | number) =>
  (value: unknown): readonly Fault[] =>
    value === wanted ? [] : [fault(field, `must be ${JSON.stringify(wanted)}`)];

const longestCommand = 1000;

const checkCommand = (value: unknown): readonly Fault[] => {
  // Counted as JSON Schema counts: by characters, not by UTF-16 units.
  const length = typeof value === 'string' ? [...value].length : 0;
  if (length >= 1 && length <= longestCommand) return [];
  return [fault('command', `must be a text of 1 to ${longestCommand} characters`)];
};

const checkArgs = (value: unknown): readonly Fault[] => {
  if (!Array.isArray(value)) return [fault('args', 'must be a list of texts')];
  return value.flatMap((arg, index) =>
    typeof arg === 'string' ? [] : [fault(`args.${index}`, 'must be a text')],
  );
};

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;
const reference = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;
/** The variable with which a user signs in to the harness; no agent gets it. */
const reserved = 'M3_ACCESS_TOKEN';

const checkEnv = (value: unknown): readonly Fault[] => {
  if (!isObject(value)) return [fault('env', 'must be an object of references')];
  return Object.entries(value).flatMap(([name, refers]) => {
    const pointer = `/env/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (name === reserved || refers === `\${${reserved}}`)
      return [fault('env', `${reserved} cannot be mapped to a test credential`, pointer)];
    return [
      ...(variable.test(name)
        ? []
        : [
            fault(
              'env',
              `${JSON.stringify(name)} is no variable name: letters, digits, underscores, no digit first`,
              pointer,
              'key' as const,
            ),
          ]),
      ...(typeof refers === 'string' && reference.test(refers)
        ? []
        : [
            fault(
              'env',
              `the value of ${JSON.stringify(name)} must be a reference such as \${PROVIDER_TOKEN}; a literal value does not belong in a manifest`,
              pointer,
            ),
          ]),
    ];
  });
};

const checks: Readonly<Record<string, (value: unknown) => readonly Fault[]>> = {
  schema_version: literal('schema_version', 'm3.harness.v1'),
  protocol: literal('protocol', 'acp'),
  protocol_version: literal('protocol_version', 1),
  command: checkCommand,
  args: checkArgs,
  env: checkEnv,
};
