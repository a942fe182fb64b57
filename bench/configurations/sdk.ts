/** The newest SDK of the protocol as a client: its connection over its stream, with handlers that do nothing. */
import { Readable } from 'node:stream';
import { request, requestCount } from '../session.ts';
import type { Configuration } from './configuration.ts';

export const sdk: Configuration = async ({ turns }) => {
  const { client, ndJsonStream } = await import('acp-sdk-2.4.0');
  return async output => {
    let lines = 0;
    const app = client({ name: 'benchmark' }).onNotification('session/update', () => {
      lines++;
    });
    const input = Readable.toWeb(output) as ReadableStream<Uint8Array>;
    const { agent, closed } = app.connect(ndJsonStream(new WritableStream(), input));
    // All at once: answers are not waited for in the corpus, and one that comes before its request would be dropped.
    const answers = Array.from({ length: requestCount(turns) }, (_, id) => {
      const { method, params } = request(id);
      return agent.request(method as never, params as never);
    });
    await Promise.all(answers);
    lines += answers.length;
    await closed;
    return { lines };
  };
};
