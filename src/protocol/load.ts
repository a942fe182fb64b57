/** Loads one release: its methods, its gate, and the shapes that explain what the gate refuses. */
import { readFile } from 'node:fs/promises';
import { compiled, compiledUrl } from '../base/index.ts';
import { createCheck } from './check.ts';
import type { Protocol, Release } from './protocol.ts';
import type { Gate, ReleaseData } from './released.ts';

const loading = new Map<Release, Promise<Protocol>>();

/** The protocol as `release` describes it; loaded once. Rejects when the build has not written it. */
export const loadProtocol = (release: Release): Promise<Protocol> => {
  const known = loading.get(release);
  if (known) return known;
  const loaded = load(release);
  loading.set(release, loaded);
  return loaded;
};

const load = async (release: Release): Promise<Protocol> => {
  const [data, gate] = await Promise.all([
    readFile(compiled(`generated/acp/${release}.json`), 'utf8').then(text => JSON.parse(text) as ReleaseData),
    import(compiledUrl(`generated/acp/${release}.gate.js`)) as Promise<Gate>,
  ]);
  return {
    release,
    methods: new Map(data.methods.map(method => [method.name, method])),
    check: createCheck(data, gate),
  };
};
