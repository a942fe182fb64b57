/**
 * An agent uses only what the client advertised. Judged once the client's initialize was seen. A capability that was left
 * out counts for INIT-11 as well. State: the capabilities looked up.
 */
import { advertises, type ConnectionFacts, type Judge, type RequirementId } from '../catalogue/index.ts';
import { isObject, type Json, valueAt } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

interface Gate {
  readonly requirement: RequirementId;
  readonly capability: string;
  readonly what: string;
}

const gate = (requirement: RequirementId, capability: string, what: string): Gate => ({
  requirement,
  capability: `clientCapabilities.${capability}`,
  what,
});

const reads = gate('FS-01', 'fs.readTextFile', 'fs/read_text_file');
const writes = gate('FS-02', 'fs.writeTextFile', 'fs/write_text_file');
const terminal = gate('TERM-01', 'terminal', 'a terminal method');
const formGate = gate('ELIC-01', 'elicitation.form', 'a form elicitation');
const urlGate = gate('ELIC-01', 'elicitation.url', 'a URL elicitation');
const notices = gate('NOTE-01', 'session.notices', 'a notice');
const compaction = gate('COMP-01', 'session.compaction', 'a compaction update');
const booleans = gate('CFG-08', 'session.configOptions.boolean', 'a boolean config option');
const terminalLogin = gate('AUTH-10', 'auth.terminal', 'a terminal authentication method');

const terminalMethods = ['create', 'output', 'wait_for_exit', 'kill', 'release'].map(
  name => `terminal/${name}`,
);

interface State {
  /** Capabilities that were looked up, which do not change after initialize. */
  readonly looked: Map<string, 'open' | 'closed' | 'left-out'>;
}

export const agentGates = defineFrameRule<State>({
  name: 'agent-gates',
  party: 'agent',
  on: [
    'initialize',
    'session/new',
    'session/load',
    'session/resume',
    'session/set_config_option',
    'fs/read_text_file',
    'fs/write_text_file',
    ...terminalMethods,
    'elicitation/create',
    'update:notice',
    'update:compaction_update',
    'update:compaction_summary_chunk',
    'update:config_option_update',
    'update:tool_call',
  ],
  requirements: {
    'FS-01': 'a tool_call of kind read, or fs/read_text_file, while that is not advertised',
    'FS-02': 'a tool_call of kind edit, or fs/write_text_file, while that is not advertised',
    'TERM-01': 'a tool_call of kind execute, or a terminal method, while terminal is not advertised',
    'ELIC-01': 'an elicitation in a mode that is not advertised',
    'NOTE-01': 'a notice while notices are not advertised',
    'COMP-01': 'a compaction update while compaction is not advertised',
    'CFG-08': 'a list of config options while boolean ones are not advertised',
    'AUTH-10': 'an initialize result with authMethods while terminal ones are not advertised',
    'INIT-11': 'as for one of the others, where the capability was left out',
  },

  init: () => ({ looked: new Map() }),

  step(state, seen, judge) {
    if (seen.from !== 'agent' || seen.facts.initializeParams === undefined) return;
    if (seen.kind === 'tool_call') {
      const wanted = kinds.get(String(seen.update?.kind));
      if (wanted) isChance(wanted, state, seen, judge);
      return;
    }
    const used = usedBy(seen);
    if (used && isChance(used, state, seen, judge)) misuse(used, seen, judge, '/method');
    if (seen.answer === 'first' || seen.kind === 'config_option_update') options(state, seen, judge);
    if (seen.method === 'initialize' && seen.payload) logins(state, seen, judge);
  },
});

const kinds: ReadonlyMap<string, Gate> = new Map([
  ['read', reads],
  ['edit', writes],
  ['execute', terminal],
]);

const usedBy = ({ method = '', message, kind, payload }: SeenFrame): Gate | undefined => {
  if (kind === 'notice') return notices;
  if (kind === 'compaction_update' || kind === 'compaction_summary_chunk') return compaction;
  if (message?.type !== 'request') return undefined;
  if (method === 'fs/read_text_file') return reads;
  if (method === 'fs/write_text_file') return writes;
  if (method.startsWith('terminal/')) return terminal;
  if (method !== 'elicitation/create') return undefined;
  return payload?.mode === 'form' ? formGate : payload?.mode === 'url' ? urlGate : undefined;
};

/** Whether the capability is closed, so that its use would be a violation; counts the opportunity. */
const isChance = (
  { requirement, capability }: Gate,
  { looked }: State,
  { facts }: SeenFrame,
  judge: Judge,
): boolean => {
  let found = looked.get(capability);
  if (found === undefined) {
    found = advertises(facts, capability) ? 'open' : isLeftOut(facts, capability) ? 'left-out' : 'closed';
    looked.set(capability, found);
  }
  if (found === 'open') return false;
  judge.exercised(requirement);
  if (found === 'left-out') judge.exercised('INIT-11');
  return true;
};

const misuse = (
  { requirement, capability, what }: Gate,
  seen: SeenFrame,
  judge: Judge,
  pointer: string,
): void => {
  const evidence = showing(seen, {
    detail: `${what} although the client does not advertise it`,
    pointer,
    expected: `${capability} advertised in initialize`,
    hint: 'Look at the client’s capabilities before using an optional feature.',
  });
  judge.violated(requirement, evidence);
  if (isLeftOut(seen.facts, capability)) judge.violated('INIT-11', evidence);
};

const isLeftOut = ({ initializeParams }: ConnectionFacts, capability: string): boolean =>
  valueAt(initializeParams, capability.split('.')) == null;

const options = (state: State, seen: SeenFrame, judge: Judge): void => {
  const list = (seen.update ?? seen.payload)?.configOptions;
  if (!Array.isArray(list) || list.length === 0 || !isChance(booleans, state, seen, judge)) return;
  const at = list.findIndex((option: Json) => isObject(option) && option.type === 'boolean');
  const root = seen.update ? '/params/update' : '/result';
  if (at >= 0) misuse(booleans, seen, judge, `${root}/configOptions/${at}/type`);
};

const logins = (state: State, seen: SeenFrame, judge: Judge): void => {
  const list = seen.payload?.authMethods;
  if (!Array.isArray(list) || list.length === 0 || !isChance(terminalLogin, state, seen, judge)) return;
  const at = list.findIndex((method: Json) => isObject(method) && method.type === 'terminal');
  if (at >= 0) misuse(terminalLogin, seen, judge, `/result/authMethods/${at}/type`);
};
