/**
 * What a reference agent is and can do, as plain data: a mock agent switches features off and on with it, from YAML as
 * well. Everything is on unless it is switched off.
 */
import { benchVersion, didYouMean, parseDuration, UserError } from '../base/index.ts';
import { isObject, type Json, type JsonObject } from '../wire/index.ts';
import { isTurnName, type TurnName, turnNames } from './turn-names.ts';

/** Members of the same names in a given behaviour override these; lists are replaced whole. */
const defaults = {
  /** What `initialize` answers, whatever was asked for. */
  protocolVersion: 1,
  /** `agentInfo`. */
  info: { name: 'acp-reference-agent', title: 'Reference agent', version: benchVersion() },
  /** What is advertised, and so what works: an optional method without its capability is not found. */
  capabilities: {
    load: true,
    list: true,
    resume: true,
    close: true,
    delete: true,
    additionalDirectories: true,
    logout: true,
    image: true,
    audio: true,
    embeddedContext: true,
    /** MCP servers over streamable HTTP. */
    mcpHttp: true,
  },
  auth: {
    /** Sessions need a successful `authenticate` first. */
    required: false,
    /** `authMethods` as they stand; those of type `terminal` are for clients that can run them. */
    methods: [{ id: 'reference-login', name: 'Reference login' }] as readonly JsonObject[],
  },
  modes: true,
  configOptions: true,
  commands: true,
  usage: true,
  titles: true,
  messageIds: true,
  /** Sessions on one page of `session/list`. Few, so that three sessions make two pages. */
  pageSize: 2,
  /** Time between two steps of a turn. */
  pace: '0ms',
  /** What a prompt does that names no trigger. */
  turn: 'ordinary' as TurnName,
};

export type Behaviour = typeof defaults;

/**
 * Completes a behaviour with the defaults.
 * @throws UserError that begins with the path of the member that is unknown or has the wrong type
 */
export const readBehaviour = (given: Json | undefined = {}): Behaviour => {
  const behaviour = overlay(defaults, given, 'behaviour') as Behaviour;
  const { protocolVersion, pageSize, pace, turn, auth } = behaviour;
  if (!isIntegerIn(protocolVersion, 0, 65535)) {
    throw wrong('behaviour.protocolVersion', 'expected an integer from 0 to 65535', protocolVersion);
  }
  if (!isIntegerIn(pageSize, 1, 1000)) {
    throw wrong('behaviour.pageSize', 'expected an integer from 1 to 1000', pageSize);
  }
  parseDuration(pace, 'behaviour.pace');
  if (!isTurnName(turn)) {
    throw new UserError(`"${turn}" is no turn${didYouMean(turn, turnNames)}`, { place: 'behaviour.turn' });
  }
  for (const [index, method] of auth.methods.entries()) {
    if (isObject(method) && typeof method.id === 'string' && typeof method.name === 'string') continue;
    throw wrong(`behaviour.auth.methods.${index}`, 'expected a map with id and name', method);
  }
  return behaviour;
};

/** The defaults say which members there are and of which type each is. */
const overlay = (base: unknown, given: unknown, path: string): unknown => {
  if (!isObject(base)) {
    if (typeOf(given) === typeOf(base)) return given;
    throw wrong(path, `expected ${typeOf(base)}`, given);
  }
  if (!isObject(given)) throw wrong(path, 'expected a map', given);
  const unknown = Object.keys(given).find(name => !Object.hasOwn(base, name));
  if (unknown !== undefined) {
    throw new UserError(`unknown member${didYouMean(unknown, Object.keys(base))}`, {
      place: `${path}.${unknown}`,
    });
  }
  return Object.fromEntries(
    Object.entries(base).map(([name, value]) => [
      name,
      given[name] === undefined ? value : overlay(value, given[name], `${path}.${name}`),
    ]),
  );
};

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;

const isIntegerIn = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

const wrong = (place: string, expected: string, actual: unknown): UserError =>
  new UserError(`${expected}, got ${JSON.stringify(actual)}`, { place });
