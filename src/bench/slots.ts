/** So many may work at a time; one that only waits lets another work meanwhile. */
export interface Slots {
  /** Does the work once a slot is free. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** For a part of the work that only waits. */
  without<T>(wait: () => Promise<T>): Promise<T>;
}

export const createSlots = (count: number): Slots => {
  let free = count;
  const waiting: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => void waiting.push(resolve));
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const between = async <T>(
    before: () => unknown,
    work: () => Promise<T>,
    after: () => unknown,
  ): Promise<T> => {
    await before();
    try {
      return await work();
    } finally {
      await after();
    }
  };
  return {
    within: work => between(take, work, give),
    without: wait => between(give, wait, take),
  };
};
