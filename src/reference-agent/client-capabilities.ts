/** What the client can do for the agent. What it left out it cannot do. */
import { isObject, type Json } from '../wire/index.ts';

export interface ClientCapabilities {
  readonly readTextFile: boolean;
  readonly writeTextFile: boolean;
  readonly terminal: boolean;
  readonly elicitationForm: boolean;
  readonly elicitationUrl: boolean;
  readonly booleanOptions: boolean;
  readonly notices: boolean;
  readonly compaction: boolean;
  readonly terminalAuthentication: boolean;
}

/** Reads `clientCapabilities` leniently: a malformed part counts as not advertised, an unknown one is ignored. */
export const readClientCapabilities = (value: Json | undefined): ClientCapabilities => {
  const at = (path: string): Json | undefined => {
    let part = value;
    for (const name of path.split('.')) part = isObject(part) ? part[name] : undefined;
    return part;
  };
  return {
    readTextFile: at('fs.readTextFile') === true,
    writeTextFile: at('fs.writeTextFile') === true,
    terminal: at('terminal') === true,
    elicitationForm: isObject(at('elicitation.form')),
    elicitationUrl: isObject(at('elicitation.url')),
    booleanOptions: isObject(at('session.configOptions.boolean')),
    notices: isObject(at('session.notices')),
    compaction: isObject(at('session.compaction')),
    terminalAuthentication: at('auth.terminal') === true,
  };
};

export const noCapabilities: ClientCapabilities = readClientCapabilities(undefined);
