import { pathToFileURL } from 'node:url';
import { isObject, type Json } from '../wire/index.ts';
import type { ScriptBindings } from './host.ts';
import type { Traffic } from './traffic.ts';

/** Names that every script may use, beside `$param.*`, which an instance has no more. */
export const builtInNames = [
  'param',
  'trigger',
  'prompt',
  'workspace',
  'workspaceUri',
  'home',
  'auth',
  'agent',
  'client',
  'repeat',
] as const;

export const builtInValues =
  (bindings: ScriptBindings, traffic: Traffic) =>
  (name: string): Json | undefined => {
    switch (name) {
      case 'trigger':
        return isObject(bindings.triggers) ? bindings.triggers : undefined;
      case 'prompt':
      case 'workspace':
      case 'home':
      case 'auth':
        return bindings[name];
      case 'workspaceUri':
        return pathToFileURL(bindings.workspace).href;
      case 'agent':
        return traffic.agent();
      case 'client':
        return traffic.client();
      default:
        return undefined;
    }
  };
