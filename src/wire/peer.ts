import { encodeFrame } from './encode-frame.ts';
import { createEndpoint, type Endpoint, type EndpointHandlers } from './endpoint.ts';
import { readMessage } from './envelope.ts';
import type { Port, PortEvent, SendMark } from './port.ts';

export interface PeerOptions extends EndpointHandlers {
  /** What happens besides lines: stderr, the end of the output, of the process. */
  readonly onEvent?: (event: Exclude<PortEvent, { type: 'line' }>) => void;
  /** How a recording Port marks what this peer sends. */
  readonly mark?: SendMark;
}

export interface Peer extends Pick<Endpoint, 'request' | 'notify'> {
  /** Ends the counterparty's input. What is open can still be answered. */
  end(): void;
}

/** A JSON-RPC peer over a Port, of which it is the listener: an `Endpoint` with a transport. */
export const createPeer = (port: Port, { onEvent, mark, ...handlers }: PeerOptions = {}): Peer => {
  const endpoint = createEndpoint(frame => void port.send(encodeFrame(frame), mark), handlers);

  port.listen(event => {
    if (event.type === 'line') {
      const { line } = event;
      endpoint.receive(line, line.kind === 'frame' ? readMessage(line.value) : undefined);
      return;
    }
    if (event.type !== 'stderr') endpoint.lose(farewell(event));
    onEvent?.(event);
  });

  return { request: endpoint.request, notify: endpoint.notify, end: port.end };
};

const farewell = (event: PortEvent & { type: 'eof' | 'exit' | 'broken' }): string => {
  if (event.type === 'eof') return 'the other side closed its output';
  if (event.type === 'broken') return `the other side takes no more input (${event.reason})`;
  return event.signal
    ? `its process was ended by ${event.signal}`
    : `its process exited with code ${event.code}`;
};
