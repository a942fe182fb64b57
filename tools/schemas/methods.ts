/** The method table of a release, read from the `x-method` and `x-side` of its definitions. */
import type { Method } from '../../src/protocol/protocol.ts';
import type { SchemaFile } from './schema.ts';

const suffix = /(Request|Response|Notification)$/;

/**
 * @param gates capability path by method; absent for a method of the baseline
 * @param sinceOf first stable release of a method
 */
export const methodsOf = (
  schema: SchemaFile,
  gates: Readonly<Record<string, string>>,
  sinceOf: (method: string) => string,
): Method[] => {
  const served = Object.entries(schema.$defs).filter(([, node]) => node['x-method'] !== undefined);
  const responseOf = (method: unknown): string | undefined =>
    served.find(([name, node]) => node['x-method'] === method && name.endsWith('Response'))?.[0];
  return served
    .filter(([name]) => !name.endsWith('Response'))
    .map(([params, node]) => {
      const name = node['x-method'] as string;
      const kind = suffix.exec(params)?.[1] === 'Request' ? 'request' : 'notification';
      const result = kind === 'request' ? responseOf(name) : undefined;
      const gate = gates[name];
      return {
        name,
        side: node['x-side'] as Method['side'],
        kind,
        params,
        ...(result ? { result } : {}),
        ...(gate ? { gate } : {}),
        since: sinceOf(name),
      };
    });
};
