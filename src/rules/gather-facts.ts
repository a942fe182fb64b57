/**
 * Gathers what a connection is known to be: the initialize exchange, and the conditions of the catalogue's `requires`
 * vocabulary that frames show. A condition that only the bench can know (credentials, a recording MCP server) is not
 * among them. State: a set of names, and 64-bit hashes of session ids.
 */
import { type ConnectionFacts, isLaterThan, loadCatalogue } from '../catalogue/index.ts';
import type { Entry } from '../journal/index.ts';
import type { Protocol } from '../protocol/index.ts';
import { isObject, type Json, type JsonObject, type Party, valueAt } from '../wire/index.ts';
import { hasExtensions } from './advertised-extensions.ts';
import { isAgentDoing, shownByCall, shownByResult, shownByUpdate } from './condition-table.ts';
import { createHashMap, type HashMap } from './hash-map.ts';
import type { SeenFrame } from './seen.ts';

export interface FactsGatherer {
  readonly facts: ConnectionFacts;
  frame(seen: SeenFrame): void;
  other(entry: Entry): void;
}

/** What lasts over the connections of a run. */
export interface RunFacts {
  /** Sessions made in this run. */
  readonly made: HashMap;
  /** One of them has a finished turn. */
  stored: boolean;
}

export const createRunFacts = (): RunFacts => ({ made: createHashMap(), stored: false });

export const createFactsGatherer = (
  connection: number,
  { protocol, subject }: { readonly protocol: Protocol; readonly subject: Party },
  run: RunFacts,
): FactsGatherer => {
  const situations = new Set<string>();
  const facts = {
    connection,
    initializeParams: undefined as JsonObject | undefined,
    initializeResult: undefined as JsonObject | undefined,
    situations: situations as ReadonlySet<string>,
    established: false,
  };
  /** Sessions that are open now: 1 open, 2 closed. */
  const sessions = createHashMap();
  let openSessions = 0;
  let authenticated = false;
  if (connection > 1) situations.add('second-process');
  if (run.stored) situations.add('stored-session');

  const openSession = (sessionId: string): void => {
    if (sessions.get(sessionId) === 1) return;
    sessions.set(sessionId, 1);
    openSessions++;
    if (openSessions > 1) situations.add('two-sessions');
  };

  const initialized = ({ from, message, payload }: SeenFrame): void => {
    if (message?.type === 'request' && from === 'client') {
      facts.initializeParams ??= payload ?? {};
      if (subject === 'agent') noteOmissions('clientCapabilities.', facts.initializeParams);
    }
    if (message?.type !== 'result' || !payload || facts.initializeResult) return;
    facts.initializeResult = payload;
    if (subject === 'client') noteOmissions('agentCapabilities.', payload);
    const methods = Array.isArray(payload.authMethods) ? payload.authMethods : [];
    if (methods.length > 0) situations.add('auth-methods-returned');
    if (methods.some(method => isObject(method) && method.type === 'terminal')) {
      situations.add('auth-terminal-method-returned');
    }
  };

  const noteOmissions = (side: string, payload: JsonObject): void => {
    for (const [path, { since }] of loadCatalogue().capabilities) {
      if (!path.startsWith(side) || isLaterThan(protocol.release, since)) continue;
      if (valueAt(payload, path.split('.')) == null) situations.add('peer-capability-omitted');
    }
  };

  const result = (seen: SeenFrame): void => {
    const { method = '', payload, sessionId, standing, request } = seen;
    shownByResult(method, payload, situations);
    if (method === 'session/new' || method === 'session/prompt') facts.established = true;
    if (method === 'authenticate') {
      authenticated = true;
      situations.delete('unauthenticated');
    }
    if (sessionId === undefined) return;
    if (method === 'session/new' || method === 'session/fork') run.made.set(sessionId, 1);
    if (/^session\/(new|fork|load|resume)$/.test(method)) openSession(sessionId);
    if (/^session\/(close|delete)$/.test(method) && sessions.get(sessionId) === 1) {
      sessions.set(sessionId, 2);
      openSessions--;
    }
    if (method === 'session/prompt' && request && standing !== 'unknown' && run.made.get(sessionId) !== 0) {
      run.stored = true;
      situations.add('stored-session');
    }
  };

  const listed = (payload: JsonObject | undefined): boolean =>
    Array.isArray(payload?.sessions) &&
    payload.sessions.some(
      (entry: Json) =>
        isObject(entry) && typeof entry.sessionId === 'string' && run.made.get(entry.sessionId) !== 0,
    );

  return {
    facts,
    other(entry) {
      if (entry.channel === 'bench' && entry.what.event === 'trigger' && entry.what.fired) {
        situations.add(`trigger:${entry.what.trigger}`);
      }
    },
    frame(seen) {
      const { method, message, answer, from } = seen;
      if (method === undefined || message === undefined) return;
      if (seen.update) return shownByUpdate(seen.kind, seen.update, situations);
      if (method === 'initialize') initialized(seen);
      if (answer === undefined) {
        shownByCall(seen, situations);
        if (method.startsWith('_') && from === subject) situations.add('extension-used');
      } else if (message.type === 'error') {
        if (message.error.code === -32000 && !authenticated) situations.add('unauthenticated');
      } else {
        result(seen);
        if (method === 'session/list' && listed(seen.payload)) situations.add('listed-session');
      }
      if (method === 'initialize' && from === subject && offersExtension(seen.payload)) {
        situations.add('extension-used');
      }
      if (isAgentDoing(seen)) situations.add('trigger:agent-request');
    },
  };
};

const offersExtension = (payload: JsonObject | undefined): boolean =>
  hasExtensions(payload?.agentCapabilities) || hasExtensions(payload?.clientCapabilities);
