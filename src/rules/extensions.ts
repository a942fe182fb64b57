/**
 * Extensions: custom methods, and `_meta` where most messages have it: in params, result and update. State: flags.
 */
import type { Judge } from '../catalogue/index.ts';
import { isObject, type Json, type JsonObject, type Party } from '../wire/index.ts';
import { hasExtensions } from './advertised-extensions.ts';
import { faultShowing, showing } from './evidence.ts';
import { defineFrameRule } from './rule.ts';
import type { SeenFrame } from './seen.ts';

export const extensions = defineFrameRule({
  name: 'extensions',
  on: ['meta', 'faulty', 'custom', 'initialize'],
  requirements: {
    'EXT-01':
      'a frame of the party with _meta in its params, result or update, or with a faulty one anywhere',
    'EXT-04': 'a frame of the party with traceparent in such a _meta',
    'EXT-09': 'a custom request or notification of the party',
    'EXT-10': 'a custom request or notification of the party',
    'INIT-21': 'an initialize payload of the party with _meta in its capabilities',
  },

  init: ({ subject }) => ({ subject }),

  step({ subject }, seen, judge) {
    const { message, from, payload, update, method } = seen;
    if (from !== subject || message === undefined) return;
    for (const fault of seen.faults) {
      if (fault.check === 'meta-object') judge.violated('EXT-01', faultShowing(seen, fault));
    }
    const root = seen.answer === undefined ? '/params' : '/result';
    if (payload?._meta !== undefined) meta(seen, payload._meta, `${root}/_meta`, judge);
    if (update?._meta !== undefined) meta(seen, update._meta, '/params/update/_meta', judge);
    if (method === undefined) return;
    if (method === 'initialize' && hasExtensions(capabilitiesOf(payload))) judge.exercised('INIT-21');
    if (seen.answer === undefined && method.startsWith('_')) custom(seen, subject, judge);
  },
});

const meta = (seen: SeenFrame, value: Json, pointer: string, judge: Judge): void => {
  if (!isObject(value)) return;
  judge.exercised('EXT-01');
  const { traceparent } = value;
  if (traceparent === undefined) return;
  judge.exercised('EXT-04');
  if (typeof traceparent === 'string' && isTraceparent(traceparent)) return;
  judge.violated(
    'EXT-04',
    showing(seen, {
      detail: 'traceparent is no W3C trace context',
      pointer: `${pointer}/traceparent`,
      actual: traceparent,
    }),
  );
};

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags; ids are not all zero. */
const isTraceparent = (text: string): boolean =>
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/.test(text);

const custom = (seen: SeenFrame, subject: Party, judge: Judge): void => {
  judge.exercised('EXT-10');
  const { facts, method } = seen;
  const own = capabilitiesOf(subject === 'agent' ? facts.initializeResult : facts.initializeParams);
  if (own === undefined) return;
  judge.exercised('EXT-09');
  if (hasExtensions(own)) return;
  judge.violated(
    'EXT-09',
    showing(seen, {
      detail: 'A custom method although the capabilities advertise no extension under _meta',
      pointer: '/method',
      ...(method !== undefined && { actual: method }),
    }),
  );
};

const capabilitiesOf = (payload: JsonObject | undefined): Json | undefined =>
  payload && (payload.agentCapabilities ?? payload.clientCapabilities ?? {});
