import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentEnvironment } from '../../src/process/index.ts';

const parent = {
  PATH: '/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  TMPDIR: '/t',
  HOME: '/home/me',
  API_KEY: 'x',
  XDG_CONFIG_HOME: '/cfg',
};

describe('agent environment', { skip: process.platform === 'win32' && 'POSIX variables' }, () => {
  test('holds four variables of the parent, the home, shared package caches and the mark, and nothing else', () => {
    assert.deepEqual(agentEnvironment({ run: 'r-1', home: '/run/home', parent }), {
      PATH: '/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      TMPDIR: '/t',
      HOME: '/run/home',
      npm_config_cache: '/home/me/.npm',
      UV_CACHE_DIR: '/home/me/.cache/uv',
      ACP_TESTBENCH_RUN: 'r-1',
    });
  });

  test('what the parent lacks stays absent, and an inherited home needs no cache variables', () => {
    const env = agentEnvironment({
      run: 'r-1',
      home: '/home/me',
      parent: { PATH: '/bin', HOME: '/home/me' },
    });
    assert.deepEqual(env, { PATH: '/bin', HOME: '/home/me', ACP_TESTBENCH_RUN: 'r-1' });
  });

  test('named variables and secrets win over everything but the mark', () => {
    const env = agentEnvironment({
      run: 'r-1',
      home: '/run/home',
      env: { LANG: 'de_DE', HOME: '/elsewhere', EMPTY: '', ACP_TESTBENCH_RUN: 'other' },
      secrets: { API_KEY: 'hush-hush' },
      parent: { PATH: '/bin', LANG: 'C' },
    });
    assert.deepEqual(env, {
      PATH: '/bin',
      LANG: 'de_DE',
      HOME: '/elsewhere',
      EMPTY: '',
      API_KEY: 'hush-hush',
      ACP_TESTBENCH_RUN: 'r-1',
    });
  });
});
