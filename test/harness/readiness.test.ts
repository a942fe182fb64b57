import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  acpAgent,
  checkReadiness,
  type HarnessOptions,
  type McpServer,
  openSession,
  runAgent,
} from '../../src/harness/index.ts';
import { inTemp } from './world.ts';

const picture = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
const text = { type: 'text', text: 'Hello' };
const http = (url: string): McpServer => ({ kind: 'http', name: 's', url });
const withKey = (name: string): McpServer => ({
  kind: 'stdio',
  name: 's',
  command: 'server',
  env: { KEY: { source: 'environment', name } },
});
/** Fails every check from the third on. */
const hopeless: HarnessOptions = {
  parentEnvironment: {},
  servers: [{ ...http('http://u:p@host/'), headers: { KEY: '${UNSET}' } } as McpServer],
  isPolicyEnforced: () => false,
};

const reason = (manifest: object, options: HarnessOptions = {}, prompt: readonly object[] = [text]) =>
  checkReadiness(acpAgent({ model: 'm', manifest: { ...manifest } }), prompt as (typeof text)[], options)
    .reason;

const node = process.execPath;

describe('readiness', () => {
  it('is told with the capability that follows from it', () => {
    const agent = acpAgent({ model: 'm', manifest: { command: node } });
    assert.deepEqual(checkReadiness(agent, []), {
      ready: true,
      reason: null,
      capability: { name: 'harness:acp', status: 'ready' },
    });
    assert.deepEqual(checkReadiness(agent, [], { isPolicyEnforced: () => false }), {
      ready: false,
      reason: 'tool_policy_unsupported',
      capability: { name: 'harness:acp', status: 'unavailable' },
    });
  });

  it('tells the first obstacle of all, in the order of the reference', () => {
    const obstacles: [string, object, HarnessOptions][] = [
      [
        'acp_executable_missing',
        { command: '/no/such', protocol_version: 2, env: { A: '${UNSET}' } },
        hopeless,
      ],
      ['acp_manifest_invalid', { command: node, protocol_version: 2, env: { A: '${UNSET}' } }, hopeless],
      ['acp_environment_unavailable', { command: node, env: { A: '${UNSET}' } }, hopeless],
      ['credential_query_unsupported', { command: node }, hopeless],
      ['credential_unavailable', { command: node }, { ...hopeless, servers: [withKey('UNSET')] }],
      ['attachment_unsupported', { command: node }, { ...hopeless, servers: [] }],
    ];
    for (const [code, manifest, options] of obstacles)
      assert.equal(reason(manifest, options, [text, picture]), code);
    assert.equal(reason({ command: node }, { ...hopeless, servers: [] }), 'tool_policy_unsupported');
  });

  it('looks at each server as a whole before the next', () => {
    const servers = [withKey('UNSET'), http('http://host/?token=x')];
    assert.equal(reason({ command: node }, { servers, parentEnvironment: {} }), 'credential_unavailable');
    assert.equal(
      reason({ command: node }, { servers: servers.reverse(), parentEnvironment: {} }),
      'credential_query_unsupported',
    );
  });

  it('takes any command for missing that is no program', () =>
    inTemp(folder => {
      const file = join(folder, 'agent');
      writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 });
      mkdirSync(join(folder, 'folder'));
      for (const command of [file, join(folder, 'folder'), join(folder, 'none'), 'no-such-program', '', 7])
        assert.equal(reason({ command }, { parentEnvironment: { PATH: folder } }), 'acp_executable_missing');
      chmodSync(file, 0o755);
      assert.equal(reason({ command: file }), null);
      assert.equal(reason({ command: 'agent' }, { parentEnvironment: { PATH: folder } }), null);
      rmSync(file);
      rmSync(join(folder, 'folder'), { recursive: true });
    }));

  it('tells an environment that cannot be made from any other fault of the manifest', () => {
    for (const env of [{ A: 'literal' }, { '1A': '${PATH}' }, 'A=1', null])
      assert.equal(reason({ command: node, env }), 'acp_environment_unavailable', JSON.stringify(env));
    assert.equal(reason({ command: node, args: 'x', env: { A: 'literal' } }), 'acp_manifest_invalid');
    assert.equal(reason({ command: node, cwd: '/' }), 'acp_manifest_invalid');
  });

  it('lets a variable of the agent be empty, and no credential of a server', () => {
    const parentEnvironment = { EMPTY: '' };
    assert.equal(reason({ command: node, env: { A: '${EMPTY}' } }, { parentEnvironment }), null);
    const servers = [withKey('EMPTY')];
    assert.equal(reason({ command: node }, { parentEnvironment, servers }), 'credential_unavailable');
    assert.equal(
      reason({ command: node }, { parentEnvironment, servers, environment: { EMPTY: 'set for the run' } }),
      null,
    );
  });

  it('finds credentials in a URL however they are written', () => {
    for (const query of ['token=x', 'Access-Token=x', 'a=1&API_KEY=x', 'apikey', 'auth='])
      assert.equal(
        reason({ command: node }, { servers: [http(`http://host/?${query}`)] }),
        'credential_query_unsupported',
        query,
      );
    assert.equal(reason({ command: node }, { servers: [http('not a url')] }), 'credential_query_unsupported');
    assert.equal(reason({ command: node }, { servers: [http('http://host/token?tokens=x')] }), null);
  });

  it('takes a policy that cannot be looked at for one that is not enforced', () => {
    const isPolicyEnforced = (): boolean => {
      throw new Error('no proxy');
    };
    assert.equal(reason({ command: node }, { isPolicyEnforced }), 'tool_policy_unsupported');
  });

  it('leaves nothing in the temporary folder, whatever it finds', () =>
    inTemp(() => {
      assert.equal(reason({ command: node }), null);
      assert.equal(reason({ command: node }, hopeless), 'credential_query_unsupported');
    }));

  it('starts no process, and a run that is not ready neither', () =>
    inTemp(async folder => {
      const program = join(folder, 'agent.sh');
      const mark = join(folder, 'started');
      writeFileSync(program, `#!/bin/sh\necho > ${mark}\n`, { mode: 0o755 });
      assert.equal(reason({ command: program }), null);
      const agent = acpAgent({ model: 'm', manifest: { command: program, env: { A: '${UNSET}' } } });
      const result = await runAgent(agent, 'Hello', { parentEnvironment: {} });
      assert.deepEqual(result.error, {
        code: 'unsupported',
        message: 'session startup unsupported: harness is not ready: acp_environment_unavailable',
        details: { cause: { stage: 'readiness', reason: 'acp_environment_unavailable' } },
      });
      assert.deepEqual([result.outcome, result.frames, result.turns], ['failed', [], []]);
      await assert.rejects(openSession(agent, { parentEnvironment: {} }), {
        name: 'HarnessStartupError',
        message: 'ACP harness is not ready',
      });
      assert.throws(() => rmSync(mark), { code: 'ENOENT' });
      rmSync(program);
    }));

  it('is followed by a failed start when the program has gone meanwhile', () =>
    inTemp(async folder => {
      const command = join(folder, 'agent');
      copyFileSync('/bin/sh', command);
      const agent = acpAgent({ model: 'm', manifest: { command } });
      const isPolicyEnforced = (): boolean => {
        rmSync(command);
        return true;
      };
      const { outcome, error } = await runAgent(agent, 'Hello', { isPolicyEnforced });
      assert.deepEqual([outcome, error?.code], ['failed', 'transport_error']);
      assert.equal(error?.details?.cause?.stage, 'spawn');
    }));

  it('refuses an agent without a command before anything else', async () => {
    const { outcome, error } = await runAgent(acpAgent({ model: 'm' }), 'Hello');
    assert.deepEqual(
      [outcome, error],
      ['failed', { code: 'unsupported', message: 'requested harness is unavailable' }],
    );
  });
});
