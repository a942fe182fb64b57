/** A count with its noun: `1 scenario`, `2 scenarios`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
