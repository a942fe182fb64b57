import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConnectionFacts } from '../../src/catalogue/connection-facts.ts';
import { advertises, applicability, loadCatalogue, type Setting } from '../../src/catalogue/index.ts';
import type { Release } from '../../src/protocol/protocol.ts';
import type { Json } from '../../src/wire/json.ts';

const catalogue = loadCatalogue();

/** Facts of a connection whose sides advertise these capability paths with these values. */
const factsOf = (
  capabilities: Record<string, Json> = {},
  situations: readonly string[] = [],
): ConnectionFacts => {
  const root: { [name: string]: Json } = { agentCapabilities: {}, clientCapabilities: {} };
  for (const [path, value] of Object.entries(capabilities)) put(root, path.split('.'), value);
  const { agentCapabilities, clientCapabilities } = root as { [name: string]: Json };
  return {
    connection: 1,
    initializeParams: { protocolVersion: 1, clientCapabilities },
    initializeResult: { protocolVersion: 1, agentCapabilities },
    situations: new Set(situations),
    established: false,
  };
};

const put = (into: { [name: string]: Json }, [name, ...rest]: string[], value: Json): void => {
  if (rest.length === 0) {
    into[name!] = value;
    return;
  }
  into[name!] ??= {};
  put(into[name!] as { [name: string]: Json }, rest, value);
};

const judge = (id: string, setting: Partial<Setting> = {}) =>
  applicability(catalogue.requirements.get(id)!, {
    release: 'latest',
    subject: 'agent',
    facts: factsOf(),
    ...setting,
  });
const verdict = (id: string, setting?: Partial<Setting>) => {
  const answer = judge(id, setting);
  return answer.applies ? 'applies' : answer.verdict;
};
const reason = (id: string, setting?: Partial<Setting>) => {
  const answer = judge(id, setting);
  return answer.applies ? '' : answer.reason;
};

describe('capabilities', () => {
  const load = 'agentCapabilities.loadSession';
  const list = 'agentCapabilities.sessionCapabilities.list';
  const table: [string, Json, boolean][] = [
    [load, true, true],
    [load, false, false],
    [load, null, false],
    [load, {}, false],
    [load, 'true', false],
    [list, {}, true],
    [list, { max: 1 }, true],
    [list, true, false],
    [list, null, false],
    [list, [], false],
    ['clientCapabilities.fs.readTextFile', true, true],
    ['clientCapabilities.session.configOptions.boolean', {}, true],
  ];
  for (const [path, value, expected] of table) {
    it(`${path}: ${JSON.stringify(value)} is ${expected ? '' : 'not '}advertised`, () => {
      assert.equal(advertises(factsOf({ [path]: value }), path), expected);
    });
  }

  it('are not advertised when the way to them is missing or no object', () => {
    assert.equal(advertises(factsOf(), list), false);
    assert.equal(advertises(factsOf({ 'agentCapabilities.sessionCapabilities': true }), list), false);
    assert.equal(advertises(undefined, list), false);
  });

  it('of the other side do not count', () => {
    const facts = factsOf({ 'agentCapabilities.terminal': true });
    assert.equal(advertises(facts, 'clientCapabilities.terminal'), false);
  });
});

describe('a requirement', () => {
  it('of the other party is not applicable', () => {
    assert.equal(verdict('CANCEL-02', { subject: 'client' }), 'not-applicable');
    assert.equal(reason('CANCEL-02', { subject: 'client' }), 'binds the agent');
    assert.equal(verdict('SCH-03'), 'not-applicable');
  });

  it('of both parties applies to either', () => {
    assert.equal(verdict('RPC-05'), 'applies');
    assert.equal(verdict('RPC-05', { subject: 'client' }), 'applies');
  });

  it('that nothing on the wire shows is not applicable', () => {
    assert.equal(verdict('FRM-09'), 'not-applicable');
    assert.equal(reason('FRM-09'), 'cannot be seen on the wire');
  });

  it('without a condition applies also when initialize was never answered', () => {
    assert.equal(verdict('INIT-05', { facts: undefined }), 'applies');
    assert.equal(verdict('RPC-05', { facts: { ...factsOf(), initializeResult: undefined } }), 'applies');
  });

  it('with a condition is blocked without an initialize result, whichever side the condition names', () => {
    const facts = { ...factsOf({ 'clientCapabilities.terminal': true }), initializeResult: undefined };
    assert.equal(verdict('LOAD-05', { facts }), 'blocked');
    assert.equal(verdict('LOAD-06', { facts }), 'blocked');
    assert.equal(verdict('TERM-16', { facts }), 'blocked');
    assert.equal(verdict('LOAD-05', { facts: undefined }), 'blocked');
  });

  it('applies when its capability is advertised, and says which is missing when not', () => {
    const facts = factsOf({ 'agentCapabilities.loadSession': true });
    assert.equal(verdict('LOAD-05', { facts }), 'applies');
    assert.equal(verdict('LOAD-05'), 'not-applicable');
    assert.equal(reason('LOAD-05'), 'agentCapabilities.loadSession is not advertised');
  });

  it('with "!" applies only when the capability is not advertised', () => {
    const facts = factsOf({ 'agentCapabilities.loadSession': true });
    assert.equal(verdict('LOAD-06'), 'applies');
    assert.equal(verdict('LOAD-06', { facts }), 'not-applicable');
    assert.equal(reason('LOAD-06', { facts }), 'agentCapabilities.loadSession is advertised');
  });

  it('with a list of capabilities needs all of them', () => {
    const list = { 'agentCapabilities.sessionCapabilities.list': {} };
    const both = { ...list, 'agentCapabilities.sessionCapabilities.delete': {} };
    const situations = ['listed-session'];
    assert.equal(verdict('DEL-03', { facts: factsOf(list, situations) }), 'not-applicable');
    assert.equal(verdict('DEL-03', { facts: factsOf(both, situations) }), 'applies');
  });

  it('with alternatives needs one of them in full', () => {
    const roots = 'agentCapabilities.sessionCapabilities.additionalDirectories';
    const resume = 'agentCapabilities.sessionCapabilities.resume';
    const situations = ['stored-session', 'trigger:tool-call'];
    assert.equal(verdict('DIR-04', { facts: factsOf({ [roots]: {} }, situations) }), 'not-applicable');
    assert.equal(verdict('DIR-04', { facts: factsOf({ [resume]: {} }, situations) }), 'not-applicable');
    assert.equal(verdict('DIR-04', { facts: factsOf({ [roots]: {}, [resume]: {} }, situations) }), 'applies');
    assert.equal(
      reason('DIR-04', { facts: factsOf({ [roots]: {} }, situations) }),
      `agentCapabilities.loadSession is not advertised, or ${resume} is not advertised`,
    );
  });

  it('with conditions on both sides needs both', () => {
    const load = { 'agentCapabilities.loadSession': true };
    const notices = { 'clientCapabilities.session.notices': {} };
    const situations = ['stored-session', 'trigger:notice'];
    assert.equal(verdict('NOTE-03', { facts: factsOf(load, situations) }), 'not-applicable');
    assert.equal(verdict('NOTE-03', { facts: factsOf(notices, situations) }), 'not-applicable');
    assert.equal(verdict('NOTE-03', { facts: factsOf({ ...load, ...notices }, situations) }), 'applies');
  });
});

describe('releases', () => {
  const first: [string, Release][] = [
    ['MODE-07', '0.12.1'],
    ['RESUME-05', '1.19.0'],
    ['AUTH-09', '1.19.0'],
    ['DEL-05', '1.19.0'],
    ['RCANCEL-03', '1.19.0'],
    ['USAGE-02', '1.19.0'],
    ['AUTH-10', '1.21.0'],
    ['TOOL-19', 'latest'],
  ];
  const releases: readonly Release[] = ['0.12.1', '1.19.0', '1.21.0', 'latest'];
  const facts = factsOf({}, ['no-modes', 'trigger:tool-call']);
  for (const [id, since] of first) {
    it(`${id} is judged from release ${since} on`, () => {
      for (const release of releases) {
        const expected = releases.indexOf(release) >= releases.indexOf(since) ? 'applies' : 'not-applicable';
        assert.equal(verdict(id, { release, facts }), expected, release);
      }
    });
  }

  it('say so in the reason', () => {
    assert.equal(reason('RESUME-05', { release: '0.12.1' }), 'since v0.12.2; judged by release 0.12.1');
  });

  const resume = factsOf({ 'agentCapabilities.sessionCapabilities.resume': {} });

  it('judge a later feature that is advertised', () => {
    assert.equal(verdict('RESUME-04', { release: '0.12.1', facts: resume }), 'applies');
  });

  it('do not judge a later feature by a capability that is about another one', () => {
    const facts = { ...resume, situations: new Set(['stored-session']) };
    assert.equal(verdict('USAGE-04', { release: '0.12.1', facts }), 'not-applicable');
    assert.equal(verdict('USAGE-04', { release: '1.19.0', facts }), 'applies');
  });

  it('judge a later feature that is used without being advertised', () => {
    const exercised = { exercised: true, violated: false };
    const violated = { exercised: true, violated: true };
    assert.equal(verdict('USAGE-02', { release: '0.12.1', seen: exercised }), 'applies');
    assert.equal(verdict('USAGE-02', { release: '0.12.1' }), 'not-applicable');
    assert.equal(verdict('AUTH-10', { release: '0.12.1', seen: exercised }), 'not-applicable');
    assert.equal(verdict('AUTH-10', { release: '0.12.1', seen: violated }), 'applies');
    assert.equal(verdict('RESUME-05', { release: '0.12.1', seen: violated }), 'not-applicable');
  });
});

describe('other conditions', () => {
  it('that do not hold leave the requirement unexercised, with the missing one named', () => {
    assert.equal(verdict('MODE-01'), 'not-exercised');
    assert.equal(
      reason('MODE-01'),
      'modes-returned did not hold (the session/new, load or resume result holds modes)',
    );
    assert.equal(verdict('MODE-01', { facts: factsOf({}, ['modes-returned']) }), 'applies');
  });

  it('must all hold', () => {
    assert.equal(verdict('MODE-06', { facts: factsOf({}, ['modes-returned']) }), 'not-exercised');
    const facts = factsOf({}, ['modes-returned', 'mode-option-returned']);
    assert.equal(verdict('MODE-06', { facts }), 'applies');
  });

  it('come after capabilities', () => {
    assert.equal(verdict('LOAD-02'), 'not-applicable');
  });

  it('that bring an agent to do something count only for agents, those of a user only for clients', () => {
    const elicitation = { 'clientCapabilities.elicitation.form': {} };
    const facts = (situation: string) => factsOf(elicitation, [situation]);
    assert.equal(verdict('ELIC-18', { facts: facts('trigger:elicitation') }), 'applies');
    assert.equal(verdict('ELIC-18', { facts: facts('drive:elicitation-answer') }), 'not-exercised');
    const client = { subject: 'client' as const };
    assert.equal(verdict('ELIC-18', { ...client, facts: facts('drive:elicitation-answer') }), 'applies');
    assert.equal(verdict('ELIC-18', { ...client, facts: facts('trigger:elicitation') }), 'not-exercised');
  });

  it('are not asked for once the requirement was exercised or violated', () => {
    assert.equal(verdict('MODE-01', { seen: { exercised: true, violated: false } }), 'applies');
    assert.equal(verdict('TOOL-02', { seen: { exercised: false, violated: true } }), 'applies');
  });

  it('are all of the vocabulary', () => {
    const unknown = [...catalogue.requirements.values()].flatMap(({ requires }) =>
      requires.filter(name => !catalogue.conditions.has(name)),
    );
    assert.deepEqual(unknown, []);
  });
});

it('every capability path of a condition is a capability of the catalogue', () => {
  const paths = [...catalogue.requirements.values()].flatMap(({ applies }) =>
    [...applies.agent, ...applies.client].flat().map(term => term.replace('!', '')),
  );
  assert.deepEqual(
    paths.filter(path => !catalogue.capabilities.has(path)),
    [],
  );
});
