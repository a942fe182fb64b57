import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { platformFor, shimEntry } from '../../src/process/platform.ts';

const windows = platformFor('win32');
const posix = platformFor('linux');

const npmShim = String.raw`@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\my-agent\bin\agent.js" %*
`;

const npxCmd = String.raw`@ECHO OFF
SETLOCAL
SET "NODE_EXE=%~dp0\node.exe"
IF NOT EXIST "%NODE_EXE%" (
  SET "NODE_EXE=node"
)
SET "NPM_PREFIX_JS=%~dp0\node_modules\npm\bin\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js"
"%NODE_EXE%" "%NPX_CLI_JS%" %*
`;

const pnpmShim = String.raw`@SETLOCAL
@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  "%~dp0\..\my-agent\agent.mjs" %*
) ELSE (
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\..\my-agent\agent.mjs" %*
)
`;

describe('platform', () => {
  test('a shim that npm wrote resolves to the Node program that it starts', () => {
    assert.equal(shimEntry(npmShim, 'C:\\npm'), 'C:\\npm\\node_modules\\my-agent\\bin\\agent.js');
  });

  test("Node's own npx.cmd, which names its program in a variable, resolves too", () => {
    assert.equal(shimEntry(npxCmd, 'C:\\nodejs'), 'C:\\nodejs\\node_modules\\npm\\bin\\npx-cli.js');
  });

  test('a shim that pnpm wrote resolves upwards of its folder', () => {
    assert.equal(shimEntry(pnpmShim, 'C:\\x\\.bin'), 'C:\\x\\my-agent\\agent.mjs');
  });

  test('a batch file that starts something else has no entry', () => {
    assert.equal(shimEntry('@"%~dp0\\python.exe" "%~dp0\\agent.py" %*\r\n', 'C:\\x'), undefined);
    assert.equal(shimEntry('@echo node\r\n', 'C:\\x'), undefined);
  });

  test('on Windows a name without extension stands for each startable one, in the order of PATHEXT', () => {
    assert.deepEqual(windows.fileNames('agent', '.EXE;.VBS;.CMD'), ['agent.exe', 'agent.cmd']);
    assert.deepEqual(windows.fileNames('agent.exe', '.EXE'), ['agent.exe', 'agent.exe.exe']);
    assert.deepEqual(posix.fileNames('agent', undefined), ['agent']);
  });

  test('a separator, or a drive on Windows, makes a command a path', () => {
    assert.deepEqual(['a', './a', 'a\\b'].map(posix.isPath), [false, true, false]);
    assert.deepEqual(['a', './a', '.\\a', 'C:a'].map(windows.isPath), [false, true, true, true]);
  });

  test("package caches are the parent's own variables, else where they are by default", () => {
    assert.deepEqual(posix.cacheVariables({ HOME: '/h' }), {
      npm_config_cache: '/h/.npm',
      UV_CACHE_DIR: '/h/.cache/uv',
    });
    assert.deepEqual(posix.cacheVariables({ HOME: '/h', XDG_CACHE_HOME: '/c', npm_config_cache: '/n' }), {
      npm_config_cache: '/n',
      UV_CACHE_DIR: '/c/uv',
    });
    assert.deepEqual(posix.cacheVariables({}), {});
    assert.deepEqual(windows.cacheVariables({ LOCALAPPDATA: 'C:\\L' }), {
      npm_config_cache: 'C:\\L\\npm-cache',
      UV_CACHE_DIR: 'C:\\L\\uv\\cache',
    });
  });
});
