/** What is wrong with a string, a number, a boolean. */
import type { Json } from '../wire/index.ts';
import { sentenceFor } from './describe.ts';
import { bounds, formats } from './formats.ts';
import type { SchemaFault } from './protocol.ts';
import type { ScalarShape } from './shape.ts';

type ScalarFault = Pick<SchemaFault, 'kind' | 'expected' | 'check'>;

/** By the schema first, then by the text; the first that applies. */
export const scalarFault = (shape: ScalarShape, value: Json | undefined): ScalarFault | undefined => {
  if (!fitsSchema(shape, value)) return { kind: 'invalid', expected: sentenceFor(shape) };
  const check = failedCheck(shape, value);
  return check === undefined ? undefined : { kind: 'text', expected: sentenceFor(shape), check };
};

const fitsSchema = ({ type, minimum, maximum, minLength }: ScalarShape, value: Json | undefined): boolean => {
  if (typeof value === 'number') {
    const isType = type === 'number' || (type === 'integer' && Number.isInteger(value));
    return isType && value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
  }
  if (typeof value === 'string') return type === 'string' && value.length >= (minLength ?? 0);
  return value === null ? type === 'null' : typeof value === type;
};

/** Name of the check that the value fails: that of the shape, else its format. */
const failedCheck = ({ format = '', check }: ScalarShape, value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return [check ?? '', format].find(name => formats[name]?.(value) === false);
  if (typeof value !== 'number') return undefined;
  if (check === 'line-from-1' && value < 1) return check;
  const [least, most] = bounds[format] ?? [-Infinity, Infinity];
  return value < least || value > most ? format : undefined;
};
