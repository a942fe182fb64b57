/**
 * The topics of a frame: its method and kind, and what is special about it. The latter are traits, bits of one number,
 * so that a frame is told to be of the class of the last one at the price of a comparison.
 */
import { isTurnContent } from '../catalogue/index.ts';
import type { Protocol } from '../protocol/index.ts';
import type { Party } from '../wire/index.ts';
import type { SeenFrame } from './seen.ts';

const bit = {
  own: 1 << 0,
  frame: 1 << 1,
  request: 1 << 2,
  notification: 1 << 3,
  result: 1 << 4,
  error: 1 << 5,
  invalid: 1 << 6,
  faulty: 1 << 7,
  meta: 1 << 8,
  custom: 1 << 9,
  params: 1 << 10,
  oddParams: 1 << 11,
  begun: 1 << 12,
  agreed: 1 << 13,
  otherVersion: 1 << 14,
  open: 1 << 15,
  inTurn: 1 << 16,
  plain: 1 << 17,
  afterMalformed: 1 << 18,
} as const;

/** @param isAfterMalformed the line of the same party before was no frame */
export const traitsOf = (seen: SeenFrame, subject: Party, isAfterMalformed: boolean): number => {
  const { entry, message, payload, update, facts } = seen;
  let traits = seen.from === subject ? bit.own : 0;
  if (entry.line.kind === 'frame') {
    traits |= entry.line.isPlain && !entry.line.carriageReturn ? bit.frame | bit.plain : bit.frame;
    if (isAfterMalformed) traits |= bit.afterMalformed;
  }
  if (entry.message?.type === 'invalid') traits |= bit.invalid;
  if (facts.initializeParams !== undefined) traits |= bit.begun;
  if (facts.initializeResult !== undefined) traits |= bit.agreed;
  if (seen.isOtherVersion) traits |= bit.otherVersion;
  if (message === undefined) return traits;
  switch (message.type) {
    case 'notification':
    case 'request':
      traits |= message.type === 'request' ? bit.request : bit.notification;
      if (message.params != null) traits |= payload === undefined ? bit.params | bit.oddParams : bit.params;
      if (seen.kind === undefined && message.method.startsWith('_')) traits |= bit.custom;
      break;
    case 'result':
      traits |= bit.result;
      break;
    case 'error':
      traits |= bit.error;
  }
  if (seen.faults.length > 0) traits |= bit.faulty;
  if (payload?._meta !== undefined || update?._meta !== undefined) traits |= bit.meta;
  if (seen.standing === 'open') traits |= bit.open;
  if (seen.turns.length > 0) traits |= bit.inTurn;
  return traits;
};

/** A line of the party that is judged. */
export const isOwn = (traits: number): boolean => (traits & bit.own) !== 0;

const traitTopics = [
  'line',
  'frame',
  'malformed',
  'after-malformed',
  'not-plain',
  'invalid',
  'peer',
  'call',
  'request',
  'result',
  'error',
  'acp-call',
  'acp-result',
  'custom',
  'params',
  'odd-params',
  'faulty',
  'meta',
  'unagreed',
  'agreed',
  'update-request',
  'begun-update',
  'idle-update',
  'stray-update',
  'turn-update',
] as const;
type Trait = (typeof traitTopics)[number];

const reserved: ReadonlySet<string> = new Set(['other', ...traitTopics]);

/** Whether the topic can be a method. Names come off the wire, and one of them may be that of another topic. */
const isMethodTopic = (topic: string): boolean =>
  !reserved.has(topic) && !topic.startsWith('update:') && !topic.includes(' ');

/** The method that a topic is about; undefined for one that any method can have. */
export const methodOf = (topic: string): string | undefined => {
  const method = topic.replace(/ (call|result)$/, '');
  return isMethodTopic(method) ? method : undefined;
};

/** All topics of a frame with these traits. */
export const topicsOf = (
  { method, kind, message }: SeenFrame,
  traits: number,
  { methods }: Protocol,
): ReadonlySet<string> => {
  const has = (trait: keyof typeof bit): boolean => (traits & bit[trait]) !== 0;
  const isCall = has('request') || has('notification');
  const isUpdate = isCall && method === 'session/update';
  const isOfAcp = method !== undefined && methods.has(method);
  const topics: Readonly<Record<Trait, boolean>> = {
    line: true,
    frame: has('frame'),
    malformed: !has('frame'),
    'after-malformed': has('afterMalformed'),
    'not-plain': has('frame') && !has('plain'),
    invalid: has('invalid'),
    peer: !has('own'),
    call: isCall,
    request: has('request'),
    result: has('result'),
    error: has('error'),
    'acp-call': isCall && isOfAcp,
    'acp-result': has('result') && isOfAcp,
    custom: has('custom'),
    params: has('params'),
    'odd-params': has('oddParams'),
    faulty: has('faulty'),
    meta: has('meta'),
    unagreed: !has('agreed'),
    agreed: has('agreed') && message !== undefined,
    'update-request': isUpdate && has('request'),
    'begun-update': isUpdate && has('begun'),
    'idle-update': isUpdate && !has('inTurn'),
    'stray-update': isUpdate && !has('open'),
    'turn-update': isUpdate && has('begun') && has('open') && has('inTurn') && isTurnContent(kind),
  };
  return new Set([
    ...traitTopics.filter(topic => topics[topic]),
    ...(method !== undefined && isMethodTopic(method) ? [method] : []),
    ...(isCall ? [`${method} call`] : []),
    ...(has('result') && method !== undefined ? [`${method} result`] : []),
    ...(kind === undefined ? [] : [`update:${kind}`]),
  ]);
};

export const isMalformed = (traits: number): boolean => (traits & bit.frame) === 0;

/** Whether only rules for every version see it. */
export const isOfOtherVersion = (traits: number): boolean => (traits & bit.otherVersion) !== 0;
