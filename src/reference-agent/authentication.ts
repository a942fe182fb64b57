import type { JsonObject } from '../wire/index.ts';
import { invalidParams } from './errors.ts';
import { text } from './params.ts';
import type { Agent, Handler } from './state.ts';

/** Methods that the client can carry out: those of type `terminal` need a client that runs them. */
export const methodsFor = ({ behaviour, capabilities }: Agent): readonly JsonObject[] =>
  behaviour.auth.methods.filter(method => method.type !== 'terminal' || capabilities.terminalAuthentication);

/** Any announced method succeeds, without credentials. */
export const authenticate: Handler = (agent, params) => {
  const methodId = text(params, 'methodId');
  if (!methodsFor(agent).some(method => method.id === methodId)) {
    throw invalidParams('Unknown authentication method', { methodId });
  }
  agent.isAuthenticated = true;
  return {};
};

/** Sessions that are open stay open, but nothing more can be asked of them. */
export const logout: Handler = agent => {
  agent.isAuthenticated = false;
  return {};
};
