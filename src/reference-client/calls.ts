/** For each task: the call that a conforming client makes of it, or why it makes none. Source: the client's MUSTs of ACP v1. */
import { isAbsolute } from 'node:path';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { type AgentView, isOffered, learnSession, type Session } from './agent-view.ts';
import type { TaskName, TaskWishes } from './task.ts';

export interface Call {
  readonly params: JsonObject;
  /** Learns from the result; returns the params of a call that must follow, or what is wrong with the result. */
  readonly learn?: (result: JsonObject) => JsonObject | string | undefined;
}

export interface Self {
  readonly workspace: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
  /** Uses config options where the agent offers them, and ignores modes then. */
  readonly usesConfigOptions: boolean;
}

type CallMaker<Name extends TaskName> = (
  wishes: TaskWishes[Name],
  view: AgentView,
  self: Self,
) => Call | string;

export const protocolVersion = 1;

export const calls: { readonly [Name in TaskName]: CallMaker<Name> } = {
  initialize: (_, view, { capabilities, clientInfo }) => {
    if (view.agent) return 'initialize is called once per connection';
    return {
      params: { protocolVersion, clientCapabilities: capabilities, clientInfo },
      learn: result => {
        if (result.protocolVersion !== protocolVersion) {
          return `the agent speaks version ${JSON.stringify(result.protocolVersion)}, this client ${protocolVersion}`;
        }
        view.agent = result;
        return undefined;
      },
    };
  },

  authenticate: ({ methodId }, { agent }) => {
    const methods = Array.isArray(agent?.authMethods) ? agent.authMethods.filter(isObject) : [];
    // Other types are carried out by the client itself, never through this method.
    const own = methods.filter(({ type }) => type === undefined || type === 'agent');
    const method = methodId === undefined ? own[0] : own.find(({ id }) => id === methodId);
    return method?.id === undefined ? 'the agent offers no such method' : { params: { methodId: method.id } };
  },

  logout: (_, view) => (isOffered(view, 'auth.logout') ? { params: {} } : notOffered('logout')),

  'session/new': (wishes, view, self) => {
    const setup = setupOf(wishes, view, self);
    if (typeof setup === 'string') return setup;
    return {
      params: setup.params,
      learn: result => {
        if (typeof result.sessionId !== 'string') return 'the result holds no sessionId';
        view.sessions.set(nameOf(wishes), fresh(result.sessionId, setup.roots));
        return learnOf(wishes, view, result);
      },
    };
  },

  'session/load': (wishes, view, self) =>
    isOffered(view, 'loadSession') ? returnTo(wishes, view, self) : notOffered('session/load'),

  'session/resume': (wishes, view, self) =>
    isOffered(view, 'sessionCapabilities.resume')
      ? returnTo(wishes, view, self)
      : notOffered('session/resume'),

  'session/close': (wishes, view) =>
    isOffered(view, 'sessionCapabilities.close')
      ? inSession(wishes, view, session => ({
          params: { sessionId: session.sessionId },
          learn: () => {
            view.sessions.set(nameOf(wishes), { ...session, isOpen: false });
            return undefined;
          },
        }))
      : notOffered('session/close'),

  'session/delete': (wishes, view) => {
    if (!isOffered(view, 'sessionCapabilities.delete')) return notOffered('session/delete');
    const session = view.sessions.get(nameOf(wishes));
    if (!session) return noSession(wishes);
    return {
      params: { sessionId: session.sessionId },
      learn: () => {
        view.sessions.delete(nameOf(wishes));
        return undefined;
      },
    };
  },

  'session/list': ({ cwd }, view) => {
    if (!isOffered(view, 'sessionCapabilities.list')) return notOffered('session/list');
    if (cwd !== undefined && !isAbsolute(cwd)) return `cwd is not absolute: ${cwd}`;
    return {
      params: { cwd },
      // A cursor is opaque: it goes back as it came, and its absence alone is the end.
      learn: ({ nextCursor }) => (typeof nextCursor === 'string' ? { cwd, cursor: nextCursor } : undefined),
    };
  },

  'session/set_mode': (wishes, view, { usesConfigOptions }) =>
    inSession(wishes, view, ({ sessionId, modes, configOptions }) => {
      if (usesConfigOptions && configOptions.length > 0)
        return 'config options replace modes in this session';
      const available = Array.isArray(modes?.availableModes) ? modes.availableModes.filter(isObject) : [];
      const mode = available.find(({ id }) =>
        wishes.modeId === undefined ? id !== modes?.currentModeId : id === wishes.modeId,
      );
      return mode?.id === undefined
        ? 'the session has no such mode'
        : { params: { sessionId, modeId: mode.id } };
    }),

  'session/set_config_option': (wishes, view, { usesConfigOptions }) =>
    inSession(wishes, view, session => {
      const { configId, value } = wishes;
      const option = session.configOptions.filter(isObject).find(({ id }) => id === configId);
      if (!usesConfigOptions || !option || !takes(option, value))
        return 'the session has no such option or value';
      const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
      return {
        params: { sessionId: session.sessionId, configId, value, ...type },
        learn: result => learnOf(wishes, view, result),
      };
    }),

  'session/prompt': (wishes, view) =>
    inSession(wishes, view, ({ sessionId }) => {
      const prompt = wishes.content ?? [{ type: 'text', text: wishes.text ?? 'hello' }];
      const foreign = prompt.find(({ type }) => !takesContent(view, type));
      if (foreign) return `the agent does not take content of type ${JSON.stringify(foreign.type)}`;
      return { params: { sessionId, prompt } };
    }),
};

const nameOf = ({ session = 'main' }: { session?: string }): string => session;

const notOffered = (method: string): string => `the agent does not offer ${method}`;

const inSession = (
  wishes: { session?: string },
  { sessions }: AgentView,
  call: (session: Session) => Call | string,
): Call | string => {
  const session = sessions.get(nameOf(wishes));
  return session?.isOpen ? call(session) : noSession(wishes);
};

const noSession = (wishes: { session?: string }): string => `there is no session "${nameOf(wishes)}"`;

const fresh = (sessionId: string, roots: readonly string[]): Session => ({
  sessionId,
  isOpen: false,
  roots,
  modes: undefined,
  configOptions: [],
});

/** Load and resume: the session is known, with its folders, before the agent answers, since it may replay into it. */
const returnTo = (wishes: TaskWishes['session/load'], view: AgentView, self: Self): Call | string => {
  const known = view.sessions.get(nameOf(wishes));
  const sessionId = wishes.id ?? known?.sessionId;
  if (sessionId === undefined) return noSession(wishes);
  const { roots: [cwd, ...additionalDirectories] = [self.workspace] } = known ?? {};
  const setup = setupOf({ ...(cwd !== undefined && { cwd }), additionalDirectories, ...wishes }, view, self);
  if (typeof setup === 'string') return setup;
  view.sessions.set(nameOf(wishes), fresh(sessionId, setup.roots));
  return { params: { sessionId, ...setup.params }, learn: result => learnOf(wishes, view, result) };
};

/** Adds what a result says to what updates have said in the meantime. */
const learnOf = (wishes: { session?: string }, { sessions }: AgentView, result: JsonObject): undefined => {
  const session = sessions.get(nameOf(wishes));
  if (session) sessions.set(nameOf(wishes), learnSession(session, result));
};

/** The params that session/new, load and resume share. */
const setupOf = (
  { cwd, additionalDirectories = [], mcpServers = [] }: TaskWishes['session/new'],
  view: AgentView,
  { workspace }: Self,
): { params: JsonObject; roots: readonly string[] } | string => {
  if (!view.agent) return 'initialize comes before any session';
  const more = isOffered(view, 'sessionCapabilities.additionalDirectories') ? additionalDirectories : [];
  const roots = [cwd ?? workspace, ...more];
  const relative = roots.find(root => !isAbsolute(root));
  if (relative !== undefined) return `the folder is not absolute: ${relative}`;
  const servers = mcpServers.filter(
    ({ type }) => typeof type !== 'string' || isOffered(view, `mcpCapabilities.${type}`),
  );
  return {
    params: {
      cwd: roots[0],
      mcpServers: servers,
      ...(more.length > 0 ? { additionalDirectories: more } : {}),
    },
    roots,
  };
};

const takesContent = (view: AgentView, type: Json | undefined): boolean => {
  if (type === 'text' || type === 'resource_link') return true;
  const gates: Record<string, string> = { image: 'image', audio: 'audio', resource: 'embeddedContext' };
  const gate = gates[String(type)];
  return gate !== undefined && isOffered(view, `promptCapabilities.${gate}`);
};

const takes = ({ type, options }: JsonObject, value: string | boolean): boolean => {
  if (typeof value === 'boolean') return type === 'boolean';
  const entries = Array.isArray(options) ? options.filter(isObject) : [];
  const values = entries.flatMap(entry =>
    Array.isArray(entry.options) ? entry.options.filter(isObject) : [entry],
  );
  return type === 'select' && values.some(entry => entry.value === value);
};
