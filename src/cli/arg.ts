/**
 * Arguments of a command as data. A command names its arguments with these constructors and reads them typed; parsing,
 * help and the complaint about unknown options are the command line library's.
 */
import { didYouMean, parseDuration, UserError } from '../base/index.ts';

interface ArgBase<T> {
  readonly help: string;
  /** `place` names the argument in error messages. `values` is empty when it was not given. */
  parse(values: readonly string[], place: string): T;
}

export type Arg<T> =
  | (ArgBase<T> & { readonly kind: 'flag' })
  | (ArgBase<T> & { readonly kind: 'option'; readonly hint: string; readonly repeatable: boolean })
  | (ArgBase<T> & {
      readonly kind: 'positional';
      readonly hint: string;
      readonly required: boolean;
      readonly rest: boolean;
    });

export type Args = Readonly<Record<string, Arg<unknown>>>;
export type ParsedArgs<A extends Args> = { readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

export const flag = (help: string): Arg<boolean> => ({
  kind: 'flag',
  help,
  parse: values => values.length > 0,
});

/** One value, read by `read`; the last one given counts. */
export const option = <T, D>(
  hint: string,
  help: string,
  read: (text: string, place: string) => T,
  fallback: D,
): Arg<T | D> => ({
  kind: 'option',
  hint,
  help,
  repeatable: false,
  parse: (values, place) => {
    const text = values.at(-1);
    return text === undefined ? fallback : read(text, place);
  },
});

/** An option that may be given several times. */
export const list = <T>(
  hint: string,
  help: string,
  read: (text: string, place: string) => T,
): Arg<readonly T[]> => ({
  kind: 'option',
  hint,
  help,
  repeatable: true,
  parse: (values, place) => values.map(text => read(text, place)),
});

export const positional = (hint: string, help: string): Arg<string> => word(hint, help, text);

/** A positional that is more than a text. */
export const word = <T>(hint: string, help: string, read: (text: string, place: string) => T): Arg<T> => ({
  kind: 'positional',
  hint,
  help,
  required: true,
  rest: false,
  parse: (values, place) => read(values[0] as string, place),
});

/** All remaining words; `required` demands at least one. */
export const rest = (hint: string, help: string, required: boolean): Arg<readonly string[]> => ({
  kind: 'positional',
  hint,
  help,
  required,
  rest: true,
  parse: values => values,
});

// Readers of option values.

export const text = (value: string, place: string): string => {
  if (value !== '') return value;
  throw new UserError('is empty; give a value, or leave it away', { place });
};

export const wholeNumber =
  (least: number) =>
  (value: string, place: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < least) {
      throw new UserError(`"${value}" is not a whole number from ${least} upwards`, { place });
    }
    return number;
  };

export const choice =
  <const T extends string>(...known: readonly T[]) =>
  (value: string, place: string): T => {
    if ((known as readonly string[]).includes(value)) return value as T;
    throw new UserError(`"${value}" is not one of ${known.join(', ')}${didYouMean(value, known)}`, { place });
  };

/** `NAME=value`; the value may hold further equals signs. */
export const pair = (value: string, place: string): readonly [name: string, value: string] => {
  const at = value.indexOf('=');
  if (at < 1) throw new UserError(`"${value}" is not of the form NAME=value`, { place });
  return [value.slice(0, at), value.slice(at + 1)];
};

export const duration = parseDuration;
