/** Which member of which request or result of an agent each requirement is about. */
import type { SchemaFault } from '../protocol/index.ts';
import { isObject } from '../wire/index.ts';
import type { SeenFrame } from './seen.ts';
import type { Shape } from './shape.ts';

type Rest = Omit<Shape, 'requirement' | 'opportunity' | 'by'>;

const request = (requirement: string, opportunity: string, rest: Omit<Rest, 'result'>): Shape => ({
  requirement,
  opportunity,
  by: 'agent',
  ...rest,
});

const result = (requirement: string, opportunity: string, rest: Omit<Rest, 'result'>): Shape => ({
  requirement,
  opportunity,
  by: 'agent',
  result: true,
  ...rest,
});

/** The result as a whole: an object, where null gets a case of its own. */
const whole = (requirement: string, method: string, when?: Shape['when']): Shape =>
  result(requirement, `a result of ${method}`, {
    on: [method],
    members: [''],
    always: true,
    only: ({ pointer }) => pointer === '/result',
    ...(when && { when }),
  });

const opened = ['session/new', 'session/load', 'session/resume'];
const withOptions = [...opened, 'session/set_config_option'];
const terminals = [
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
];

const isListed = ({ kind, pointer }: SchemaFault, member: string): boolean =>
  kind !== 'unknown-member' && new RegExp(`/${member}/\\d`).test(pointer);

/** Whether the client asked for a method that the agent had offered. */
const isOfferedMethod = ({ request: asked, facts }: SeenFrame): boolean => {
  const methods = facts.initializeResult?.authMethods;
  return (
    Array.isArray(methods) && methods.some(each => isObject(each) && each.id === asked?.params?.methodId)
  );
};

export const shapesOfAgents: readonly Shape[] = [
  result('INIT-05', 'an initialize result', {
    on: ['initialize'],
    members: ['protocolVersion'],
    always: true,
  }),
  result('INIT-22', 'an initialize result with agentCapabilities', {
    on: ['initialize'],
    members: ['agentCapabilities'],
  }),
  result('INIT-23', 'an initialize result with an authentication method', {
    on: ['initialize'],
    members: ['authMethods/*'],
    situation: ({ pointer, kind }) =>
      kind === 'unknown-value' && /\/authMethods\/\d+\/type$/.test(pointer) ? 'unknown-auth-type' : undefined,
  }),
  result('SESS-02', 'a session/new result', { on: ['session/new'], members: ['sessionId'], always: true }),
  result('SESS-12', 'a session/new result with modes or configOptions', {
    on: ['session/new'],
    members: ['modes', 'configOptions'],
    only: () => false,
  }),
  result('MODE-01', 'a session/new, load or resume result with modes', { on: opened, members: ['modes'] }),
  result('CFG-01', 'a result with configOptions', { on: withOptions, members: ['configOptions'] }),
  result('CFG-04', 'a session/set_config_option result', {
    on: ['session/set_config_option'],
    members: ['configOptions'],
    always: true,
    only: fault => fault.kind !== 'unknown-member' && !isListed(fault, 'configOptions'),
  }),
  result('PROMPT-08', 'a session/prompt result', {
    on: ['session/prompt'],
    members: ['stopReason'],
    always: true,
    only: ({ kind, actual, pointer }) =>
      kind === 'invalid' && (pointer === '/result' || actual === undefined),
  }),
  result('PROMPT-09', 'a session/prompt result with stopReason', {
    on: ['session/prompt'],
    members: ['stopReason'],
    only: ({ kind, actual }) => kind !== 'unknown-member' && actual !== undefined,
  }),
  result('LIST-02', 'a session/list result', {
    on: ['session/list'],
    members: ['sessions'],
    always: true,
    only: fault => fault.kind !== 'unknown-member' && !isListed(fault, 'sessions'),
  }),
  result('LIST-05', 'a session/list result with an entry', {
    on: ['session/list'],
    members: ['sessions/*/sessionId', 'sessions/*/cwd'],
    only: ({ kind }) => kind !== 'unknown-member',
  }),
  result('LIST-11', 'a session/list entry with updatedAt', {
    on: ['session/list'],
    members: ['sessions/*/updatedAt'],
  }),
  result('LIST-14', 'a session/list result with nextCursor', {
    on: ['session/list'],
    members: ['nextCursor'],
  }),
  result('DIR-08', 'a session/list entry with additionalDirectories', {
    on: ['session/list'],
    members: ['sessions/*/additionalDirectories'],
  }),
  whole('AUTH-01', 'authenticate', isOfferedMethod),
  whole('AUTH-06', 'logout'),
  whole('CLOSE-03', 'session/close'),
  whole('DEL-02', 'session/delete'),
  whole('MODE-03', 'session/set_mode'),
  whole('RESUME-03', 'session/resume'),
  whole('LOAD-09', 'session/load'),
  request('PERM-02', 'a permission request', {
    on: ['session/request_permission'],
    members: ['sessionId', 'toolCall/toolCallId', 'options'],
    always: true,
    only: fault => fault.kind !== 'unknown-member' && !isListed(fault, 'options'),
  }),
  request('PERM-03', 'a permission request with an option', {
    on: ['session/request_permission'],
    members: ['options/*'],
  }),
  request('TOOL-04', 'a permission request whose tool call has kind', {
    on: ['session/request_permission'],
    members: ['toolCall/kind'],
  }),
  request('TOOL-05', 'a permission request whose tool call has status', {
    on: ['session/request_permission'],
    members: ['toolCall/status'],
  }),
  request('TOOL-12', 'a permission request whose tool call has a location', {
    on: ['session/request_permission'],
    members: ['toolCall/locations/*'],
  }),
  request('FS-03', 'an fs request', {
    on: ['fs/read_text_file', 'fs/write_text_file'],
    members: ['path'],
    always: true,
  }),
  request('FS-04', 'an fs/read_text_file request with line or limit', {
    on: ['fs/read_text_file'],
    members: ['line', 'limit'],
  }),
  request('FS-13', 'an fs request', {
    on: ['fs/read_text_file', 'fs/write_text_file'],
    members: ['sessionId'],
    always: true,
  }),
  request('TERM-03', 'a terminal/create request with cwd', { on: ['terminal/create'], members: ['cwd'] }),
  request('TERM-16', 'a terminal request', { on: terminals, members: ['sessionId'], always: true }),
  request('TERM-16', 'a terminal request', {
    on: terminals.filter(method => method !== 'terminal/create'),
    members: ['terminalId'],
    always: true,
    only: ({ kind, pointer }) => kind !== 'unknown-member' && pointer === '/params/terminalId',
  }),
  request('ELIC-03', 'an elicitation/create request', {
    on: ['elicitation/create'],
    members: ['mode', 'message', 'sessionId', 'requestId'],
    always: true,
  }),
  request('ELIC-21', 'an elicitation/create request with requestedSchema', {
    on: ['elicitation/create'],
    members: ['requestedSchema'],
  }),
];
