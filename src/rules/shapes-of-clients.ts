/** Which member of which request or result of a client each requirement is about. */
import type { SchemaFault } from '../protocol/index.ts';
import type { Shape } from './shape.ts';

type Rest = Omit<Shape, 'requirement' | 'opportunity' | 'by' | 'result'>;

const request = (requirement: string, opportunity: string, rest: Rest): Shape => ({
  requirement,
  opportunity,
  by: 'client',
  ...rest,
});

const result = (
  requirement: string,
  method: string,
  members: readonly string[],
  rest?: Partial<Rest>,
): Shape => ({
  requirement,
  opportunity: `a result of ${method}`,
  by: 'client',
  result: true,
  on: [method],
  members,
  always: true,
  ...rest,
});

const opening = ['session/new', 'session/load', 'session/resume'];
const isWhole = ({ pointer }: SchemaFault): boolean => pointer === '/result';
const isOfSchema = ({ kind }: SchemaFault): boolean => kind !== 'unknown-member' && kind !== 'text';
/** Of the list of servers itself, not of an entry. */
const isNoEntry = (fault: SchemaFault): boolean =>
  isOfSchema(fault) && !/\/mcpServers\/\d/.test(fault.pointer);

export const shapesOfClients: readonly Shape[] = [
  request('INIT-02', 'an initialize request', {
    on: ['initialize'],
    members: ['protocolVersion'],
    always: true,
  }),
  request('SESS-04', 'a session/new, load or resume request', {
    on: opening,
    members: ['cwd'],
    always: true,
  }),
  request('SESS-08', 'a session/new request', {
    on: ['session/new'],
    members: ['cwd', 'mcpServers'],
    always: true,
    only: isNoEntry,
  }),
  request('LOAD-04', 'a session/load request', {
    on: ['session/load'],
    members: ['sessionId', 'cwd', 'mcpServers'],
    always: true,
    only: isNoEntry,
  }),
  request('RESUME-07', 'a session/resume request', {
    on: ['session/resume'],
    members: ['sessionId', 'cwd', 'mcpServers'],
    always: true,
    only: isNoEntry,
  }),
  request('DIR-02', 'a request with additionalDirectories', {
    on: opening,
    members: ['additionalDirectories/*'],
  }),
  request('MCP-06', 'a request with an MCP server', { on: opening, members: ['mcpServers/*'] }),
  request('LIST-13', 'a session/list request with cwd', { on: ['session/list'], members: ['cwd'] }),
  request('CFG-07', 'a session/set_config_option request', {
    on: ['session/set_config_option'],
    members: ['value', 'type'],
    always: true,
  }),
  result('PERM-05', 'session/request_permission', ['outcome']),
  result('FS-05', 'fs/read_text_file', ['content']),
  result('FS-09', 'fs/write_text_file', [''], { only: isWhole }),
  result('TERM-05', 'terminal/create', ['terminalId']),
  result('TERM-06', 'terminal/output', ['output', 'truncated']),
  result('TERM-07', 'terminal/wait_for_exit', ['exitCode', 'signal']),
  result('TERM-15', 'terminal/wait_for_exit', ['exitCode', 'signal']),
  {
    requirement: 'TERM-15',
    opportunity: 'an exit status',
    by: 'client',
    result: true,
    on: ['terminal/output'],
    members: ['exitStatus'],
  },
  result('TERM-08', 'terminal/kill', [''], { only: isWhole }),
  result('TERM-09', 'terminal/release', [''], { only: isWhole }),
  result('ELIC-05', 'elicitation/create', ['action']),
];
