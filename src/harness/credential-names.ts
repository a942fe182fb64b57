/** Names under which people keep credentials: whole words, bounded by `_`, `-` or the ends. */
export const looksLikeCredential = (name: string): boolean => shaped.test(name);

const words = [
  'authorization',
  'proxy[-_]authorization',
  'cookie',
  'set[-_]cookie',
  'x[-_]api[-_]key',
  'api[-_]?key',
  '(?:access|refresh|id|auth|bearer)[-_]token',
  'token',
  'secret',
  'passw(?:or)?d',
  'credentials?',
  'private[-_]key',
  'client[-_]secret',
  'session[-_]key',
];

const shaped = new RegExp(`(?:^|[-_])(?:${words.join('|')})(?:$|[-_])`, 'i');
