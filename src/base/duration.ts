import { UserError } from './user-error.ts';

const units = { ms: 1, s: 1000, m: 60_000 } as const;

/**
 * Milliseconds of a duration such as `500ms`, `30s` or `5m`. A bare number is refused, since nobody can tell its unit.
 * @param place where the text stands, for the error: an option name or `file:line:column`
 */
export const parseDuration = (text: string, place: string): number => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (amount === undefined) {
    throw new UserError(`"${text}" is not a duration; write a number and a unit, such as 500ms, 30s or 5m`, {
      place,
    });
  }
  return Number(amount) * units[unit as keyof typeof units];
};
