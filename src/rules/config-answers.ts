/**
 * How session/set_config_option is answered: what the session offers can be set, and the complete list says so; anything
 * else is refused. Options may come and go with the value of another one, so that a list is taken for incomplete only
 * where nothing changed, or where it holds the one option that did. State: the latest list of each session, as 64-bit
 * hashes, and a word for each open request.
 */
import type { Judge } from '../catalogue/index.ts';
import { errorCode, isObject, type Json, type JsonObject } from '../wire/index.ts';
import { showing } from './evidence.ts';
import { createKnownOptions, type KnownOptions } from './known-options.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

/** What a request asks for, by what the session had when it was sent. */
type Asked = 'change' | 'same' | 'unfit';

interface State {
  readonly known: KnownOptions;
  /** By the sequence number of the request. */
  readonly asked: Map<number, Asked>;
}

export const configAnswers = defineFrameRule<State>({
  name: 'config-answers',
  party: 'agent',
  on: [
    'session/new',
    'session/load',
    'session/resume',
    'session/close',
    'session/delete',
    'session/set_config_option',
    'update:config_option_update',
  ],
  requirements: {
    'CFG-04': 'the answer to session/set_config_option with a value that the session offers',
    'CFG-05': 'a config_option_update of a session whose options were seen',
    'CFG-06':
      'the answer to session/set_config_option with an option or value that the session does not offer',
  },

  init: () => ({ known: createKnownOptions(), asked: new Map() }),

  step(state, seen, judge) {
    const { sessionId, method, answer, message, entry } = seen;
    const { known, asked } = state;
    if (sessionId === undefined) return;
    if (method === 'session/close' || method === 'session/delete') known.forget(sessionId);
    else if (seen.update) {
      if (seen.from === 'agent') updated(known, sessionId, seen, judge);
    } else if (method === 'session/set_config_option') {
      if (message?.type === 'request') {
        const { payload } = seen;
        if (payload && known.has(sessionId)) asked.set(entry.seq, askedFor(known, sessionId, payload));
      } else if (answer === 'first') answered(state, sessionId, seen, judge);
    } else if (answer === 'first' && message?.type === 'result') {
      keep(known, sessionId, seen.payload?.configOptions);
    }
  },
});

const askedFor = (known: KnownOptions, sessionId: string, params: JsonObject): Asked => {
  if (!known.isFit(sessionId, params)) return 'unfit';
  return known.isCurrent(sessionId, params.configId, params.value) ? 'same' : 'change';
};

const keep = (known: KnownOptions, sessionId: string, list: Json | undefined): void => {
  if (Array.isArray(list)) known.keep(sessionId, list.filter(isObject));
};

const answered = ({ known, asked }: State, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const { request, message } = seen;
  const what = asked.get(request!.seq);
  asked.delete(request!.seq);
  const list = seen.payload?.configOptions;
  const code = message?.type === 'error' ? message.error.code : undefined;
  if (what === 'unfit') {
    judge.exercised('CFG-06');
    const detail =
      code === undefined
        ? 'An option is set to what the session does not offer'
        : 'What the session does not offer is an internal error';
    if (code === undefined || code === errorCode.internalError)
      judge.violated('CFG-06', showing(seen, { detail, after: request!.seq }));
  } else if (what && code !== errorCode.authRequired && code !== errorCode.requestCancelled) {
    judge.exercised('CFG-04');
    const fault =
      code === undefined
        ? faultOf(known, sessionId, what, seen)
        : 'A value that the session offers is refused';
    if (fault !== undefined) {
      const expected = 'all config options, and this one with the value that was asked for';
      judge.violated('CFG-04', showing(seen, { detail: fault, after: request!.seq, expected }));
    }
  }
  keep(known, sessionId, list);
};

/** What is wrong with the list that a result holds; undefined where nothing is, or where it is no list. */
const faultOf = (
  known: KnownOptions,
  sessionId: string,
  what: Asked,
  { payload, request }: SeenFrame,
): string | undefined => {
  const { configId, value } = request?.params ?? {};
  if (!Array.isArray(payload?.configOptions)) return undefined;
  const options = payload.configOptions.filter(isObject);
  const option = options.find(({ id }) => id === configId);
  if (!option) return 'The option that was set is not in the list';
  if (option.currentValue !== value) return 'The option that was set has another value';
  const left = stillThere(known, sessionId, options);
  if (what === 'same' && left < known.count(sessionId))
    return 'Options are missing, although nothing changed';
  return isReduced(known, sessionId, left) ? 'The list holds nothing but the option that was set' : undefined;
};

const updated = (known: KnownOptions, sessionId: string, seen: SeenFrame, judge: Judge): void => {
  const list = seen.update?.configOptions;
  if (!Array.isArray(list)) return;
  if (known.has(sessionId)) {
    judge.exercised('CFG-05');
    if (isReduced(known, sessionId, stillThere(known, sessionId, list.filter(isObject)))) {
      judge.violated(
        'CFG-05',
        showing(seen, {
          detail: 'The list holds one option of all that the session has',
          pointer: '/params/update/configOptions',
          expected: 'all config options',
        }),
      );
    }
  }
  keep(known, sessionId, list);
};

const stillThere = (known: KnownOptions, sessionId: string, options: readonly JsonObject[]): number =>
  new Set(options.map(({ id }) => id).filter(id => known.includes(sessionId, id))).size;

const isReduced = (known: KnownOptions, sessionId: string, left: number): boolean =>
  left === 1 && known.count(sessionId) > 2;
