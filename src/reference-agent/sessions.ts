/** The life of a session: new, load, resume, close, delete. */
import type { JsonObject } from '../wire/index.ts';
import { announceCommands } from './commands.ts';
import { invalidParams, invalidRequest } from './errors.ts';
import { connectServers, readServers } from './mcp/index.ts';
import { absolutePath, additionalDirectories, type Params, present, text } from './params.ts';
import { type Session, shutSession, unknownSession } from './session.ts';
import { defaultMode, defaultOptions, settingsOf } from './settings.ts';
import type { Agent, Call, Handler } from './state.ts';
import type { SessionRecord } from './store.ts';
import { announceUsage } from './usage.ts';

export const newSession: Handler = (agent, params, call) => {
  const setting = readSetting(agent, params);
  present(params, 'mcpServers');
  const record: SessionRecord = {
    sessionId: agent.newSessionId(),
    cwd: setting.cwd,
    additionalDirectories: setting.roots,
    title: null,
    updatedAt: agent.timestamp(),
    modeId: defaultMode,
    options: { ...defaultOptions },
    history: [],
    idCount: 0,
    turnCount: 0,
  };
  agent.store.save(record);
  const session = open(agent, record, setting);
  // The client knows the session only from the answer on.
  call.afterwards(() => announceCommands(agent, session));
  return { sessionId: record.sessionId, ...settingsOf(agent, session) };
};

/** Replays the conversation before it answers. */
export const loadSession: Handler = async (agent, params, call) => {
  present(params, 'mcpServers');
  const session = await reopen(agent, params);
  const { sessionId, history } = session.record;
  for (const update of history) agent.client.notify('session/update', { sessionId, update });
  return takeUp(agent, session, call);
};

/** Goes on with a session whose conversation the client has kept. */
export const resumeSession: Handler = async (agent, params, call) =>
  takeUp(agent, await reopen(agent, params), call);

/** A turn that runs is cancelled, and its prompt answered before this request. */
export const closeSession: Handler = async (agent, params) => {
  const session = agent.sessions.get(text(params, 'sessionId'));
  if (!session) throw unknownSession(params);
  await shutSession(agent, session, 'stop-reason');
  return {};
};

/** What is gone, or never was, is deleted. */
export const deleteSession: Handler = async (agent, params) => {
  const sessionId = text(params, 'sessionId');
  const session = agent.sessions.get(sessionId);
  if (session) await shutSession(agent, session, 'error');
  agent.store.remove(sessionId);
  return {};
};

type Setting = ReturnType<typeof readSetting>;

const readSetting = (agent: Agent, params: Params) => ({
  cwd: absolutePath(params, 'cwd'),
  roots: agent.behaviour.capabilities.additionalDirectories ? additionalDirectories(params) : [],
  servers: readServers(params, agent.behaviour.capabilities.mcpHttp),
});

const open = (agent: Agent, record: SessionRecord, { servers, cwd }: Setting): Session => {
  const session: Session = {
    record,
    servers: connectServers(servers, cwd, agent.clock),
    standing: new Map(),
    turn: undefined,
  };
  agent.sessions.set(record.sessionId, session);
  return session;
};

/** Opens a stored session with the roots and servers of this request; those of earlier ones do not come back. */
const reopen = async (agent: Agent, params: Params): Promise<Session> => {
  const setting = readSetting(agent, params);
  const sessionId = text(params, 'sessionId');
  if (agent.sessions.get(sessionId)?.turn) throw invalidRequest('A turn is running in this session');
  const record = agent.store.load(sessionId);
  if (!record) throw unknownSession(params);
  if (record.cwd !== setting.cwd) {
    throw invalidParams('The session belongs to another cwd', { cwd: record.cwd });
  }
  for (let isOpen = agent.sessions.get(sessionId); isOpen; isOpen = agent.sessions.get(sessionId)) {
    await shutSession(agent, isOpen, 'error');
  }
  record.additionalDirectories = setting.roots;
  agent.store.save(record);
  return open(agent, record, setting);
};

const takeUp = (agent: Agent, session: Session, call: Call): JsonObject => {
  call.afterwards(() => {
    announceCommands(agent, session);
    if (session.record.turnCount > 0) announceUsage(agent, session);
  });
  return settingsOf(agent, session);
};
