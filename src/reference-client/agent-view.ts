/** What the client has learned of its agent. */
import { isObject, type Json, type JsonObject } from '../wire/index.ts';

export interface Session {
  readonly sessionId: string;
  /** Set up on this connection and not closed: turns can be run in it. */
  readonly isOpen: boolean;
  /** cwd first, then the additional directories. */
  readonly roots: readonly string[];
  readonly modes: JsonObject | undefined;
  readonly configOptions: readonly Json[];
}

export interface AgentView {
  /** The initialize result; undefined until it came. */
  agent: JsonObject | undefined;
  /** By the user's name. */
  readonly sessions: Map<string, Session>;
}

export const createAgentView = (): AgentView => ({ agent: undefined, sessions: new Map() });

/** Value at a dotted path below `agentCapabilities`. */
export const capability = ({ agent }: AgentView, path: string): Json | undefined => {
  let value: Json | undefined = agent?.agentCapabilities;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value;
};

/** A capability that is an object, or `true`; anything else, and what is omitted, counts as unsupported. */
export const isOffered = (view: AgentView, path: string): boolean => {
  const value = capability(view, path);
  return value === true || isObject(value);
};

export const sessionById = (view: AgentView, sessionId: string): Session | undefined =>
  [...view.sessions.values()].find(session => session.sessionId === sessionId);

/** Takes over what the result of session/new, load, resume or set_config_option says about the session. */
export const learnSession = (session: Session, result: JsonObject): Session => ({
  ...session,
  isOpen: true,
  modes: isObject(result.modes) ? result.modes : session.modes,
  configOptions: Array.isArray(result.configOptions) ? result.configOptions : session.configOptions,
});

/** Keeps mode and options as a session/update reports them. Other updates are for people to see. */
export const learnUpdate = ({ sessions }: AgentView, { sessionId, update }: JsonObject): void => {
  const [name, session] = [...sessions].find(([, known]) => known.sessionId === sessionId) ?? [];
  if (name === undefined || !session || !isObject(update)) return;
  if (update.sessionUpdate === 'current_mode_update' && session.modes) {
    sessions.set(name, { ...session, modes: { ...session.modes, currentModeId: update.currentModeId } });
  }
  if (update.sessionUpdate === 'config_option_update' && Array.isArray(update.configOptions)) {
    sessions.set(name, { ...session, configOptions: update.configOptions });
  }
};
