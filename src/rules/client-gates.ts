/** A client uses only what the agent advertised. Judged once the agent's initialize result was seen. State: none. */
import { advertises, type ConnectionFacts, type Judge, type RequirementId } from '../catalogue/index.ts';
import { isObject, type Json, valueAt } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { capabilityFor } from './gated-methods.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

type Gate = readonly [requirement: RequirementId, capability: string];

// Maps, since the names come off the wire: an object would know `constructor` as well.
const methods: ReadonlyMap<string, RequirementId> = new Map([
  ['session/load', 'LOAD-01'],
  ['session/resume', 'RESUME-01'],
  ['session/close', 'CLOSE-01'],
  ['session/list', 'LIST-01'],
  ['session/delete', 'DEL-01'],
  ['logout', 'AUTH-05'],
]);

const roots: Gate = ['DIR-01', 'agentCapabilities.sessionCapabilities.additionalDirectories'];

const transports: ReadonlyMap<string, Gate> = new Map([
  ['http', ['MCP-02', 'agentCapabilities.mcpCapabilities.http']],
  ['sse', ['MCP-02', 'agentCapabilities.mcpCapabilities.sse']],
]);

const blocks: ReadonlyMap<string, Gate> = new Map([
  ['image', ['PROMPT-02', 'agentCapabilities.promptCapabilities.image']],
  ['audio', ['PROMPT-02', 'agentCapabilities.promptCapabilities.audio']],
  ['resource', ['PROMPT-02', 'agentCapabilities.promptCapabilities.embeddedContext']],
]);

export const clientGates = defineFrameRule({
  name: 'client-gates',
  party: 'client',
  on: [...methods.keys(), 'session/new', 'session/prompt', 'authenticate'],
  requirements: {
    'LOAD-01': 'a session/load request while that is not advertised',
    'RESUME-01': 'a session/resume request while that is not advertised',
    'CLOSE-01': 'a session/close request while that is not advertised',
    'LIST-01': 'a session/list request while that is not advertised',
    'DEL-01': 'a session/delete request while that is not advertised',
    'AUTH-05': 'a logout request while that is not advertised',
    'AUTH-11': 'an authenticate request while a terminal method is offered',
    'DIR-01': 'a session/new, load or resume request while extra roots are not advertised',
    'MCP-02': 'a request with an MCP server while http or sse is not advertised',
    'PROMPT-02': 'a prompt while image, audio or embedded resources are not advertised',
    'INIT-11': 'as for one of the others, where the capability was left out',
  },

  init: () => undefined,

  step(_, seen, judge) {
    const { message, from, method = '', payload, facts } = seen;
    if (from !== 'client' || message?.type !== 'request' || !facts.initializeResult) return;
    const requirement = methods.get(method);
    const capability = capabilityFor(method, payload);
    if (requirement && capability && !advertises(facts, capability)) {
      misuse([requirement, capability], seen, judge, '/method');
    }
    if (/^session\/(new|load|resume)$/.test(method)) {
      if (!advertises(facts, roots[1])) {
        chance(roots, seen, judge);
        if (payload?.additionalDirectories !== undefined)
          misuse(roots, seen, judge, '/params/additionalDirectories');
      }
      items(seen, 'mcpServers', transports, judge);
    }
    if (method === 'session/prompt') items(seen, 'prompt', blocks, judge);
    if (method === 'authenticate') login(seen, judge);
  },
});

/** Entries of a list whose type needs a capability. */
const items = (seen: SeenFrame, name: string, gates: ReadonlyMap<string, Gate>, judge: Judge): void => {
  const list = seen.payload?.[name];
  if (!Array.isArray(list) || list.length === 0) return;
  const closed = [...gates.values()].filter(([, capability]) => !advertises(seen.facts, capability));
  if (closed[0]) chance(closed[0], seen, judge);
  list.forEach((item: Json, index) => {
    const gate = isObject(item) ? gates.get(String(item.type)) : undefined;
    if (gate && closed.includes(gate)) misuse(gate, seen, judge, `/params/${name}/${index}/type`);
  });
};

const login = (seen: SeenFrame, judge: Judge): void => {
  const offered = seen.facts.initializeResult?.authMethods;
  if (!Array.isArray(offered)) return;
  const terminal = offered.filter((method: Json) => isObject(method) && method.type === 'terminal');
  if (terminal.length === 0) return;
  judge.exercised('AUTH-11');
  const id = seen.payload?.methodId;
  if (!terminal.some((method: Json) => isObject(method) && method.id === id)) return;
  judge.violated(
    'AUTH-11',
    showing(seen, {
      detail: 'authenticate with a method that runs in a terminal',
      pointer: '/params/methodId',
    }),
  );
};

const chance = ([requirement, capability]: Gate, { facts }: SeenFrame, judge: Judge): void => {
  judge.exercised(requirement);
  if (isLeftOut(facts, capability)) judge.exercised('INIT-11');
};

const misuse = ([requirement, capability]: Gate, seen: SeenFrame, judge: Judge, pointer: string): void => {
  const evidence = showing(seen, {
    detail: `${seen.method} uses what the agent does not advertise`,
    pointer,
    expected: `${capability} advertised in the initialize result`,
  });
  judge.violated(requirement, evidence);
  if (isLeftOut(seen.facts, capability)) judge.violated('INIT-11', evidence);
};

const isLeftOut = ({ initializeResult }: ConnectionFacts, capability: string): boolean =>
  valueAt(initializeResult, capability.split('.')) == null;
