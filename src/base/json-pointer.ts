/** JSON pointers. Source: RFC 6901. */

/** The names on the way of a pointer: `/a~1b/0` is `['a/b', '0']`, the empty text is the root. */
export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** One step of a pointer, with its slash. */
export const pointerStep = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
