/**
 * The capability that each optional method needs, in whatever release: an advertised capability of a later release than
 * the selected one is held to that later release. Source: ACP v1, Initialization.
 */
import type { JsonObject } from '../wire/index.ts';

const capabilities: Readonly<Record<string, string>> = {
  'session/load': 'agentCapabilities.loadSession',
  'session/resume': 'agentCapabilities.sessionCapabilities.resume',
  'session/close': 'agentCapabilities.sessionCapabilities.close',
  'session/list': 'agentCapabilities.sessionCapabilities.list',
  'session/delete': 'agentCapabilities.sessionCapabilities.delete',
  logout: 'agentCapabilities.auth.logout',
  'fs/read_text_file': 'clientCapabilities.fs.readTextFile',
  'fs/write_text_file': 'clientCapabilities.fs.writeTextFile',
};

/** Undefined for a method that needs none. An elicitation needs that of its mode. */
export const capabilityFor = (method: string, params: JsonObject | undefined): string | undefined => {
  if (method.startsWith('terminal/')) return 'clientCapabilities.terminal';
  if (method === 'elicitation/create') {
    const { mode } = params ?? {};
    return mode === 'form' || mode === 'url' ? `clientCapabilities.elicitation.${mode}` : undefined;
  }
  return Object.hasOwn(capabilities, method) ? capabilities[method] : undefined;
};
