/** Every method that this agent serves. Source: ACP v1 schema, methods of side `agent`. */
import { authenticate, logout } from './authentication.ts';
import type { Behaviour } from './behaviour.ts';
import { cancelTurn } from './cancel.ts';
import { initialize } from './initialize.ts';
import { prompt } from './prompt.ts';
import { listSessions } from './session-list.ts';
import { closeSession, deleteSession, loadSession, newSession, resumeSession } from './sessions.ts';
import { setConfigOption, setMode } from './settings.ts';
import type { Handler, NotificationHandler } from './state.ts';

/** From when on a method may be called. */
export type Stage = 'start' | 'initialized' | 'authenticated';

export interface Method {
  readonly handle: Handler;
  readonly from: Stage;
  /** An optional method is not found unless the behaviour advertises it. */
  readonly isOffered?: (behaviour: Behaviour) => boolean;
}

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', { handle: initialize, from: 'start' }],
  ['authenticate', { handle: authenticate, from: 'initialized' }],
  ['logout', { handle: logout, from: 'initialized', isOffered: can => can.capabilities.logout }],
  ['session/new', { handle: newSession, from: 'authenticated' }],
  ['session/load', { handle: loadSession, from: 'authenticated', isOffered: can => can.capabilities.load }],
  [
    'session/resume',
    { handle: resumeSession, from: 'authenticated', isOffered: can => can.capabilities.resume },
  ],
  ['session/list', { handle: listSessions, from: 'authenticated', isOffered: can => can.capabilities.list }],
  ['session/close', { handle: closeSession, from: 'initialized', isOffered: can => can.capabilities.close }],
  [
    'session/delete',
    { handle: deleteSession, from: 'authenticated', isOffered: can => can.capabilities.delete },
  ],
  ['session/prompt', { handle: prompt, from: 'authenticated' }],
  ['session/set_mode', { handle: setMode, from: 'authenticated', isOffered: has => has.modes }],
  [
    'session/set_config_option',
    { handle: setConfigOption, from: 'authenticated', isOffered: has => has.configOptions },
  ],
]);

/** Others are ignored; `$/cancel_request` reaches the request itself, as its signal. */
export const notifications: ReadonlyMap<string, NotificationHandler> = new Map([
  ['session/cancel', cancelTurn],
]);
