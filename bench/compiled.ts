/** The rooms as users run them: what is measured is the code in dist/. The types are those of src/. */
const load = (module: string): Promise<unknown> => import(new URL(`../dist/${module}`, import.meta.url).href);

export const wire = () => load('wire/index.js') as Promise<typeof import('../src/wire/index.ts')>;
export const journal = () => load('journal/index.js') as Promise<typeof import('../src/journal/index.ts')>;
export const protocol = () => load('protocol/index.js') as Promise<typeof import('../src/protocol/index.ts')>;
export const catalogue = () =>
  load('catalogue/index.js') as Promise<typeof import('../src/catalogue/index.ts')>;
export const foldJournal = () =>
  load('bench/fold-journal.js') as Promise<typeof import('../src/bench/fold-journal.ts')>;
