import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mutation } from '../../src/script/index.ts';
import type { ActorFactory, JsonObject } from '../../src/wire/index.ts';
import { run, update } from './world.ts';

/** An agent that answers every request after two updates. */
const chatty: ActorFactory = host => ({
  receive(_, message) {
    if (message?.type !== 'request') return;
    host.send(update('a'));
    host.send(update('b'));
    host.send({ jsonrpc: '2.0', id: message.id, result: { for: message.method } });
  },
  ended: () => host.exit(0),
  dispose: async () => {},
});

const mutated = async (mutation: Mutation | readonly Mutation[], count = 1) => {
  const { sent, entries } = await run(
    { role: 'agent', mutate: [mutation].flat() },
    {
      actor: chatty,
      onStart(other) {
        for (let id = 1; id <= count; id += 1)
          other.send({ jsonrpc: '2.0', id, method: id === 1 ? '_one' : '_two' });
        other.send({ jsonrpc: '2.0', method: '_note' });
        other.end();
      },
    },
  );
  const edited = entries.flatMap(entry =>
    entry.channel === 'acp' && entry.declaredFault
      ? [shortly(entry.line.kind === 'frame' ? entry.line.value : {})]
      : [],
  );
  return { sent, names: sent.map(shortly).join(' '), edited: edited.join(' ') };
};

const shortly = (frame: JsonObject): string => {
  const { params, id, result } = frame as {
    params?: { update: { content: { text: string } } };
    id?: unknown;
    result?: unknown;
  };
  return params?.update.content.text ?? `${JSON.stringify(id)}${result === undefined ? '!' : ''}`;
};

describe('mutate', () => {
  it('leaves frames alone that it does not match', async () => {
    assert.deepEqual(
      await mutated({ match: { method: 'nothing' }, drop: true }).then(({ names, edited }) => [
        names,
        edited,
      ]),
      ['a b 1', ''],
    );
  });

  it('drop does not send', async () => {
    assert.equal((await mutated({ match: { responseTo: '_one' }, drop: true }, 2)).names, 'a b a b 2');
  });

  it('nth names one of several', async () => {
    assert.equal((await mutated({ match: { method: 'session/update', nth: 2 }, drop: true })).names, 'a 1');
  });

  it('duplicate sends twice, at once or after a later frame in either direction', async () => {
    const match = { responseTo: '_one' };
    assert.equal((await mutated({ match, duplicate: true })).names, 'a b 1 1');
    assert.equal(
      (await mutated({ match, duplicate: { after: { method: 'session/update' } } }, 2)).names,
      'a b 1 a 1 b 2',
    );
    assert.equal(
      (await mutated({ match, duplicate: { after: { method: '_note' } } }, 2)).names,
      'a b 1 a b 2 1',
    );
  });

  it('delay holds back until a frame in either direction', async () => {
    const match = { method: 'session/update', nth: 1 };
    assert.equal((await mutated({ match, delay: { until: { responseTo: '_one' } } })).names, 'b 1 a');
    assert.equal((await mutated({ match, delay: { until: { method: '_note' } } })).names, 'b 1 a');
    assert.equal((await mutated({ match, delay: { until: { method: '_never' } } })).names, 'b 1');
  });

  it('after edits nothing before the counterparty has sent a frame, and then its answer as well', async () => {
    const match = { method: 'session/update' };
    assert.equal((await mutated({ match, after: { method: '_two' }, drop: true }, 2)).names, 'a b 1 2');
    assert.equal((await mutated({ match, after: { method: '_never' }, drop: true }, 2)).names, 'a b 1 a b 2');
  });

  it('set and unset edit by JSON pointer, with $frame as it was', async () => {
    const { sent, edited } = await mutated([
      {
        match: { responseTo: '_one' },
        set: { '/id': '${frame.id}', '/result/deep/er': [1], '/result/for': '$workspace' },
      },
      {
        match: { method: 'session/update', nth: 1 },
        unset: ['/params/update/content/type', '/params/sessionId'],
      },
    ]);
    assert.deepEqual(sent[2], { jsonrpc: '2.0', id: '1', result: { for: '/work/space', deep: { er: [1] } } });
    assert.deepEqual(sent[0], {
      jsonrpc: '2.0',
      method: 'session/update',
      params: { update: { sessionUpdate: 'agent_message_chunk', content: { text: 'a' } } },
    });
    assert.equal(edited, 'a "1"');
  });

  it('edits a client as well', async () => {
    const { sent } = await run(
      {
        role: 'client',
        extends: 'reference-client',
        mutate: [{ match: { method: 'initialize' }, set: { '/params/protocolVersion': '1' } }],
      },
      {
        actor(host) {
          host.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } });
          return { receive: () => host.exit(0), ended() {}, dispose: async () => {} };
        },
        onFrame: (frame, other) => other.answer(frame, {}),
      },
    );
    assert.deepEqual(sent[0]?.params, { protocolVersion: '1' });
  });
});
