/** What session/list says, page by page and against what is known of a session; judged for agents. */
import type { JsonObject } from '../../../src/wire/index.ts';
import { agent, asks, client, prompt, ready, stopped, update } from '../../helpers/steps.ts';
import type { RuleCase } from '../case.ts';

/** An entry for the session that `ready` opens in `/w`. */
const one = { sessionId: 's-1', cwd: '/w' };
const two = { sessionId: 's-2', cwd: '/v' };
const make = (rest: JsonObject) =>
  asks(2, 'session/new', { cwd: '/v', mcpServers: [], ...rest }, { sessionId: 's-2' });
const both = [...ready, ...make({})];
const lists = (params: JsonObject, sessions: readonly JsonObject[], nextCursor?: string, id = 20) =>
  asks(id, 'session/list', params, { sessions, ...(nextCursor && { nextCursor }) });
const titled = update({ sessionUpdate: 'session_info_update', title: 'Tidy up' });
const deletes = asks(30, 'session/delete', { sessionId: 's-1' }, {});
const load = client({
  id: 31,
  method: 'session/load',
  params: { sessionId: 's-1', cwd: '/w', mcpServers: [] },
});
const refused = (id: number) => agent({ id, error: { code: -32602, message: 'Invalid params' } });
const second = (params: JsonObject = {}) =>
  client({ id: 21, method: 'session/list', params: { cursor: 'p2', ...params } });

export const sessionListCases: readonly RuleCase[] = [
  {
    requirement: 'LIST-04',
    rule: 'session-list',
    kept: [...both, ...lists({ cwd: '/w/' }, [one])],
    broken: [...both, ...lists({ cwd: '/w' }, [one, two])],
    pointer: '/result/sessions/1/cwd',
  },
  {
    requirement: 'LIST-04',
    rule: 'list-walks',
    about: 'a session that only the whole list has',
    kept: [...both, ...lists({}, [one, two]), ...lists({ cwd: '/v' }, [two])],
    broken: [...both, ...lists({}, [one, two]), ...lists({ cwd: '/v' }, [])],
  },
  {
    requirement: 'LIST-07',
    rule: 'list-walks',
    about: 'a session on two pages',
    kept: [...both, ...lists({}, [one], 'p2'), ...lists({ cursor: 'p2' }, [two], undefined, 21)],
    broken: [...both, ...lists({}, [one], 'p2'), ...lists({ cursor: 'p2' }, [two, one], undefined, 21)],
    verdict: 'warn',
  },
  {
    requirement: 'LIST-07',
    rule: 'list-walks',
    about: 'pages that come again after a session was made',
    kept: [
      ...both,
      ...lists({}, [one], 'p2'),
      ...make({}),
      ...lists({ cursor: 'p2' }, [one], undefined, 21),
      ...lists({}, [one], undefined, 22),
    ],
    exercised: 1,
  },
  {
    requirement: 'LIST-07',
    rule: 'list-walks',
    about: 'a walk without end',
    kept: [...both, ...lists({}, [], 'p2'), ...lists({ cursor: 'p2' }, [two], undefined, 21)],
    broken: [...both, ...lists({}, [one], 'p2'), ...lists({ cursor: 'p2' }, [], 'p2', 21)],
    verdict: 'warn',
    pointer: '/result/nextCursor',
  },
  {
    requirement: 'LIST-14',
    rule: 'list-walks',
    kept: [...both, ...lists({}, [one], 'p2'), ...lists({ cursor: 'p2' }, [two], undefined, 21)],
    broken: [...both, ...lists({}, [one], 'p2'), second(), refused(21)],
  },
  {
    requirement: 'LIST-14',
    rule: 'list-walks',
    about: 'a cursor of another filter',
    kept: [
      ...both,
      ...lists({}, [one], 'p2'),
      second({ cwd: '/w' }),
      refused(21),
      ...lists({}, [one], 'p3', 22),
      ...lists({ cursor: 'p3' }, [two], undefined, 23),
    ],
    exercised: 1,
  },
  {
    requirement: 'LIST-15',
    rule: 'list-walks',
    kept: [...ready, prompt(), stopped(), ...lists({}, [], 'p2'), ...lists({ cursor: 'p2' }, [one])],
    broken: [...ready, prompt(), stopped(), ...lists({}, [two])],
    verdict: 'info',
  },
  {
    requirement: 'LIST-15',
    rule: 'list-walks',
    about: 'a deleted session and one without a turn',
    kept: [...both, prompt(), stopped(), ...lists({}, [one]), ...deletes, ...lists({}, [], undefined, 21)],
    exercised: 1,
  },
  {
    requirement: 'INFO-03',
    rule: 'session-list',
    kept: [...ready, titled, ...lists({}, [{ ...one, title: 'Tidy up' }])],
    broken: [...ready, titled, ...lists({}, [one])],
    verdict: 'warn',
    pointer: '/result/sessions/0/title',
  },
  {
    requirement: 'INFO-03',
    rule: 'session-list',
    about: 'a title that was taken back, and one that comes during the list',
    kept: [
      ...ready,
      titled,
      update({ sessionUpdate: 'session_info_update', title: null }),
      ...lists({}, [one]),
      client({ id: 21, method: 'session/list', params: {} }),
      titled,
      agent({ id: 21, result: { sessions: [one] } }),
    ],
    exercised: 1,
  },
  {
    requirement: 'INFO-04',
    rule: 'session-list',
    kept: [...ready, ...lists({}, [{ ...one, cwd: '/w/' }])],
    broken: [...ready, ...lists({}, [{ ...one, cwd: '/' }])],
    pointer: '/result/sessions/0/cwd',
  },
  {
    requirement: 'DIR-08',
    rule: 'session-list',
    kept: [
      ...ready,
      ...make({ additionalDirectories: ['/x', '/y'] }),
      ...lists({}, [{ ...two, additionalDirectories: ['/x', '/y'] }, one]),
    ],
    broken: [
      ...ready,
      ...make({ additionalDirectories: ['/x', '/y'] }),
      ...lists({}, [{ ...two, additionalDirectories: ['/y', '/x'] }]),
    ],
    verdict: 'info',
  },
  {
    requirement: 'DEL-03',
    rule: 'session-list',
    kept: [...both, ...lists({}, [one, two]), ...deletes, ...lists({}, [two], undefined, 21)],
    broken: [...both, ...lists({}, [one, two]), ...deletes, ...lists({}, [two, one], undefined, 21)],
    pointer: '/result/sessions/1',
  },
  {
    requirement: 'DEL-03',
    rule: 'session-list',
    about: 'a session that was loaded after all',
    kept: [
      ...ready,
      ...lists({}, [one]),
      ...deletes,
      load,
      agent({ id: 31, result: {} }),
      ...lists({}, [one], undefined, 21),
    ],
    exercised: 1,
  },
  {
    requirement: 'DEL-06',
    rule: 'session-list',
    about: 'an open session, and the load of a deleted one',
    kept: [...ready, ...deletes, load, refused(31)],
    exercised: 2,
  },
];
