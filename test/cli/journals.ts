/** A journal as text: its header, and the entries of an agent that answers initialize and opens a session. */
export const header = JSON.stringify({
  journal: 'acp-testbench/1',
  bench: '0.1.0',
  run: '4c4f4a75-a569-4916-a094-4ed573709121',
  startedAt: '2026-01-02T03:04:05.678Z',
  subject: 'agent',
});

const frames = [
  { from: 'client', frame: { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } } },
  { from: 'agent', frame: { jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, agentCapabilities: {} } } },
  {
    from: 'client',
    frame: { jsonrpc: '2.0', id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } },
  },
  { from: 'agent', frame: { jsonrpc: '2.0', id: 1, result: { sessionId: 's' } } },
];

/** One line each, without line feed. */
export const initialized: readonly string[] = frames.map(({ from, frame }, index) =>
  JSON.stringify({
    seq: index + 1,
    t: index,
    connection: 1,
    channel: 'acp',
    from,
    ...(from === 'client' && { by: 'foreign' }),
    frame,
  }),
);
