/** Checks one message: who may send it, then its payload against the definition of its method. */
import {
  type Json,
  type NotificationMessage,
  otherParty,
  type Party,
  type RequestMessage,
  type ValidMessage,
} from '../wire/index.ts';
import { createExplain } from './explain.ts';
import type { Method, Protocol, SchemaFault } from './protocol.ts';
import type { Gate, ReleaseData } from './released.ts';

const noFaults: readonly SchemaFault[] = Object.freeze([]);

/** The gate decides at speed that all is well; only what it refuses is looked at closely. */
export const createCheck = (data: ReleaseData, gate: Gate): Protocol['check'] => {
  const methods = new Map(data.methods.map(method => [method.name, method]));
  // Messages of one method come in runs.
  let last: Method | undefined;
  const gates = new Map(Object.entries(gate));
  const explain = createExplain(data);

  const payload = (definition: string, value: Json, pointer: string): readonly SchemaFault[] =>
    gates.get(definition)?.(value) ? noFaults : explain(definition, value, pointer);

  const call = (from: Party, message: RequestMessage | NotificationMessage): readonly SchemaFault[] => {
    const method = message.method === last?.name ? last : methods.get(message.method);
    last = method;
    if (!method) return isExtension(message.method) ? extension(message) : unknownMethod(from, message, data);
    const misdirected = misuseOf(method, from, message);
    const faults = params(method, message.params);
    return misdirected.length > 0 ? [...misdirected, ...faults] : faults;
  };

  const params = (method: Method, value: Json | undefined): readonly SchemaFault[] => {
    if (value !== undefined && value !== null) return payload(method.params, value, '/params');
    return mayBeEmpty(method.params, data) ? noFaults : [missingParams(method.params, value)];
  };

  const result = (definition: string | undefined, value: Json): readonly SchemaFault[] => {
    if (definition === undefined) return noFaults;
    return value === null && mayBeEmpty(definition, data)
      ? [nullResult(definition)]
      : payload(definition, value, '/result');
  };

  return (from, message, requestMethod) => {
    switch (message.type) {
      case 'request':
      case 'notification':
        return call(from, message);
      case 'result':
        return result(methods.get(requestMethod ?? '')?.result, message.result);
      case 'error':
        return payload('Error', message.error, '/error');
    }
  };
};

/** Custom methods, and those of the JSON-RPC layer that a receiver may ignore. Source: ACP v1, Extensibility. */
const isExtension = (method: string): boolean => method.startsWith('_');

const mayBeEmpty = (definition: string, { shapes }: ReleaseData): boolean => {
  const shape = shapes[definition];
  return shape?.is === 'object' && shape.required.length === 0;
};

/** JSON-RPC 2.0, section 4.2: params are an object or an array, if present. */
const extension = (message: ValidMessage & { readonly params: Json | undefined }): readonly SchemaFault[] =>
  message.params === undefined || message.params === null || typeof message.params === 'object'
    ? noFaults
    : [
        {
          kind: 'invalid',
          definition: message.type === 'request' ? 'ExtRequest' : 'ExtNotification',
          pointer: '/params',
          expected: 'an object or an array',
          actual: message.params,
        },
      ];

const unknownMethod = (
  from: Party,
  message: RequestMessage | NotificationMessage,
  { known }: ReleaseData,
): readonly SchemaFault[] => {
  const elsewhere = Object.hasOwn(known, message.method) ? known[message.method] : undefined;
  if (!elsewhere && message.method.startsWith('$/')) return noFaults;
  return [
    {
      kind: 'unknown-method',
      definition: envelopeOf(from, message),
      pointer: '/method',
      expected: 'a method of this release, or a custom one that starts with "_"',
      actual: message.method,
      ...(elsewhere ? { known: elsewhere } : {}),
    },
  ];
};

const misuseOf = (
  method: Method,
  from: Party,
  message: RequestMessage | NotificationMessage,
): readonly SchemaFault[] => {
  if (method.side === from) {
    const expected = `a method that the ${otherParty(from)} serves`;
    return [
      {
        kind: 'unknown-method',
        definition: envelopeOf(from, message),
        pointer: '/method',
        expected,
        actual: method.name,
        check: 'wrong-direction',
      },
    ];
  }
  if (method.kind === message.type) return noFaults;
  return [
    {
      kind: 'invalid',
      definition: envelopeOf(from, message),
      pointer: '/id',
      expected:
        method.kind === 'request' ? 'an id, since this is a request' : 'no id, since this is a notification',
      actual: message.type === 'request' ? message.id : undefined,
      check: 'wrong-kind',
    },
  ];
};

const envelopeOf = (from: Party, { type }: ValidMessage): string =>
  `${from === 'agent' ? 'Agent' : 'Client'}${type === 'request' ? 'Request' : 'Notification'}`;

const missingParams = (definition: string, actual: null | undefined): SchemaFault => ({
  kind: 'invalid',
  definition,
  pointer: '/params',
  expected: 'an object',
  actual,
});

const nullResult = (definition: string): SchemaFault => ({
  kind: 'null-result',
  definition,
  pointer: '/result',
  expected: 'an object, which may be empty',
  actual: null,
});
