/** Does what a case says, and tells what came of it. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  acpAgent,
  type ContentBlock,
  checkReadiness,
  type FrameRecord,
  type HarnessStartupError,
  openSession,
  runAgent,
  type SessionBusyError,
} from '../harness/index.ts';
import { exportManifest, loadManifest, validateManifest } from '../manifest/index.ts';
import { isRunning } from '../process/index.ts';
import type { Json, JsonObject } from '../wire/index.ts';
import type { Call, Case, Outcome, RunPart } from './case.ts';
import type { CaseFolder } from './case-folder.ts';
import { type PrepareOptions, prepare } from './harness-options.ts';
import type { LoadedCase } from './load-cases.ts';

export interface Performed {
  readonly outcome: Outcome;
  readonly frames: readonly FrameRecord[];
}

export const perform = async (
  loaded: LoadedCase,
  folder: CaseFolder,
  options: PrepareOptions,
): Promise<Performed> => {
  const action = loaded.case.do;
  if ('run' in action) return run(loaded, folder.filled(action.run), folder, options);
  if ('session' in action) return session(loaded, folder.filled(action), folder, options);
  if ('ready' in action) return ready(loaded, folder.filled(action.ready), folder, options);
  return { frames: [], outcome: await valueOrError(() => plain(action, folder)) };
};

type Action = Case['do'];

const run = async (
  loaded: LoadedCase,
  part: RunPart,
  folder: CaseFolder,
  prepareOptions: PrepareOptions,
): Promise<Performed> => {
  const { agent, options } = prepare(loaded, part, folder, prepareOptions);
  const { prompts = ['hello'] } = part;
  const { frames, turns, ...result } = await runAgent(
    agent,
    prompts as readonly (string | ContentBlock[])[],
    options,
  );
  return {
    frames,
    outcome: {
      ...(asJson(result) as JsonObject),
      turns: asJson(
        turns.map(({ frames: _, ...turn }) => ({
          ...turn,
          observations: turn.observations.filter(({ kind }) => kind !== 'raw_frame'),
        })),
      ),
      ...aftermath(part, folder),
    } as Outcome,
  };
};

const session = async (
  loaded: LoadedCase,
  { session: part, calls }: Extract<Action, { session: RunPart }>,
  folder: CaseFolder,
  prepareOptions: PrepareOptions,
): Promise<Performed> => {
  const { agent, options, frames } = prepare(loaded, part, folder, prepareOptions);
  const outcome = async (): Promise<Outcome> => {
    let opened: Awaited<ReturnType<typeof openSession>>;
    try {
      opened = await openSession(agent, options);
    } catch (error) {
      const { message, cause } = error as HarnessStartupError;
      return { startup: { message, cause: asJson(cause) } };
    }
    const results: Json[] = [];
    try {
      for (const call of calls) results.push(...(await made(call, opened)));
    } finally {
      // Whether the end can be called for twice is a case of its own.
      if (!calls.some(call => 'close' in call)) await opened.close();
    }
    return { calls: results };
  };
  return { frames, outcome: { ...(await outcome()), ...aftermath(part, folder) } };
};

const made = async (
  call: Call,
  opened: Awaited<ReturnType<typeof openSession>>,
): Promise<readonly Json[]> => {
  if ('close' in call) return [asJson(await opened.close())];
  const prompts = 'send' in call ? [call.send] : call.together;
  const sent = prompts.map(async prompt => {
    try {
      const { status, text, error } = await opened.send(prompt);
      return asJson({ status, text, error });
    } catch (error) {
      const { name, code, message } = error as SessionBusyError;
      return { error: asJson({ name, code, message }) };
    }
  });
  return Promise.all(sent);
};

const ready = (
  loaded: LoadedCase,
  part: RunPart,
  folder: CaseFolder,
  prepareOptions: PrepareOptions,
): Performed => {
  const { agent, options } = prepare(loaded, part, folder, prepareOptions);
  const blocks = (part.prompts ?? []).flatMap(prompt =>
    typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : (prompt as readonly ContentBlock[]),
  );
  // It is done before anything else of this process can happen, so nobody else sees this folder.
  const { TMPDIR } = process.env;
  const own = mkdtempSync(join(folder.path, 'tmp-'));
  process.env.TMPDIR = own;
  try {
    const readiness = checkReadiness(agent, blocks, options);
    return {
      frames: [],
      outcome: {
        ...(asJson(readiness) as JsonObject),
        leftovers: readdirSync(own),
        agent: agentNotes(folder),
      } as Outcome,
    };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(own, { recursive: true, force: true });
  }
};

/** Of what needs no agent: the value, or the error. */
const valueOrError = async (act: () => unknown): Promise<Outcome> => {
  try {
    return { value: asJson(await act()) };
  } catch (error) {
    const { message } = error as Error;
    return { error: { name: (error as Error).constructor.name, message } };
  }
};

const plain = (action: Action, folder: CaseFolder): unknown => {
  if ('select' in action) return acpAgent(action.select as unknown as Parameters<typeof acpAgent>[0]);
  if ('validate' in action) {
    const { validate, checkLocal = false, environment } = action;
    const isForbidden = environment !== undefined && !checkLocal;
    const variables = environment ?? {};
    return validateManifest(validate, {
      checkLocal,
      environment: isForbidden ? forbidden(variables) : variables,
    });
  }
  if ('export' in action) return exportManifest(action.export);
  if ('load' in action) {
    if (action.load !== null) folder.write('manifest.json', action.load);
    return loadManifest(join(folder.path, 'manifest.json'));
  }
  throw new Error('the case does nothing');
};

/** Variables that nobody may look at. */
const forbidden = (variables: Readonly<Record<string, string>>): Record<string, string> => {
  const fail = (): never => {
    throw new Error('the environment was looked at');
  };
  return new Proxy(variables, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });
};

/** What the agent noted of itself, and what is left of it. */
const aftermath = ({ workspace }: RunPart, folder: CaseFolder): Outcome => {
  const notes = folder.notes();
  const running = [
    ...(notes && isRunning(notes.pid) ? ['agent'] : []),
    ...(notes?.grandchild !== undefined && isRunning(notes.grandchild) ? ['grandchild'] : []),
  ];
  return {
    agent: agentNotes(folder),
    after: {
      running,
      home: notes?.env.HOME !== undefined && existsSync(notes.env.HOME),
      folder: notes !== undefined && existsSync(notes.cwd),
      ...(workspace && { workspace: folder.workspaceFiles() }),
    },
  };
};

const agentNotes = (folder: CaseFolder): Json => asJson(folder.notes() ?? null);

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json;
