/** From what the user asked for to a run: command, environment, folders, selection. */
import { randomUUID } from 'node:crypto';
import { suggestion, UserError } from '../base/index.ts';
import { type Catalogue, loadCatalogue } from '../catalogue/index.ts';
import {
  agentEnvironment,
  createRunFolders,
  givenFolder,
  homeFolder,
  keepApart,
  type RunFolders,
  resolveCommand,
  resolvePackageRunner,
  startGuardian,
} from '../process/index.ts';
import { loadProfile } from '../profile/index.ts';
import type { ScriptInstance } from '../script/index.ts';
import { loadScenarios } from '../script-library/index.ts';
import { systemClock } from '../wire/index.ts';
import { agentCommand } from './agent-command.ts';
import type { CertifyOptions } from './certify.ts';
import { checkFrozenAt } from './frozen.ts';
import { planRun, type Selection } from './plan.ts';
import { redactorFor } from './redaction.ts';
import { createReportFolder } from './report-folder.ts';
import { scriptBindings } from './script-bindings.ts';
import { tierOfScript } from './script-facts.ts';
import { processSubject } from './subject.ts';
import { tiers as allTiers, type Tier } from './tiers.ts';

/** What `certify` was asked to do, as typed on the command line. Times in milliseconds. */
export interface CertifyRequest
  extends Pick<
    CertifyOptions,
    | 'release'
    | 'jobs'
    | 'repeat'
    | 'timeoutMs'
    | 'startTimeoutMs'
    | 'isolate'
    | 'settleMs'
    | 'failOn'
    | 'allowIncomplete'
    | 'interrupted'
  > {
  /** Words of the agent's command line; empty where a manifest or profile names it. */
  readonly command: readonly string[];
  readonly manifest: string | undefined;
  readonly profile: string | undefined;
  readonly env: readonly (readonly [name: string, value: string])[];
  /** Names of variables whose value the agent gets and nobody else sees. */
  readonly secrets: readonly string[];
  readonly auth: string | undefined;
  readonly allow: readonly 'logout'[];
  readonly triggers: readonly (readonly [name: string, text: string])[];
  readonly prompts: boolean;
  /** `temp`, `inherit` or a folder. */
  readonly home: string;
  readonly workspace: string | undefined;
  /** Directory of the agent's process. */
  readonly cwd: string;
  readonly rules: string | undefined;
  /** Empty: as far as the means go. */
  readonly tiers: readonly Tier[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxFailures: number | undefined;
  readonly out: string | undefined;
  readonly parentEnv: NodeJS.ProcessEnv;
}

export interface Plan {
  /** To be shown: secrets are redacted. */
  readonly command: readonly string[];
  readonly instances: readonly ScriptInstance[];
  readonly tiers: readonly Tier[];
  readonly promptsAllowed: boolean;
  /**
   * Starts the guardian, makes the folders, and installs what an `npx` or `uvx` command names. `end` must be called,
   * whatever happens: it leaves nothing behind.
   * @throws UserError when a folder cannot be used, or the package not installed
   */
  begin(): Promise<Begun>;
}

/** A run whose guardian watches and whose folders exist. */
export interface Begun {
  readonly options: Omit<CertifyOptions, 'onScenario'>;
  readonly folders: Pick<RunFolders, 'createHome' | 'createWorkspace'>;
  /** For the user, on stderr: what goes on otherwise than expected. */
  readonly notice?: string;
  end(): Promise<void>;
}

/** @throws UserError for whatever is wrong with the request, before anything is started */
export const prepareCertify = async (request: CertifyRequest): Promise<Plan> => {
  checkFrozenAt(request.rules);
  const profile = request.profile === undefined ? undefined : await loadProfile(request.profile);
  const { command, secrets } = await agentCommand(request, profile);
  const redactor = await redactorFor(secrets);
  const triggers = { ...profile?.triggers, ...Object.fromEntries(request.triggers) };
  const promptsAllowed = request.prompts || profile !== undefined || Object.keys(triggers).length > 0;
  const selection: Selection = {
    tiers:
      request.tiers.length > 0
        ? allTiers.filter(tier => request.tiers.includes(tier))
        : possibleTiers(promptsAllowed, triggers),
    only: request.only,
    skip: request.skip,
  };
  const catalogue = loadCatalogue();
  checkTriggers(request.triggers, catalogue);
  const scripts = await loadScenarios();
  const instances = planRun(scripts, catalogue, selection);
  const tiers = request.only.length > 0 ? tiersOf(instances) : selection.tiers;
  const cwd = givenFolder(request.cwd, '--cwd');
  const workspace =
    request.workspace === undefined ? undefined : givenFolder(request.workspace, '--workspace');
  if (workspace !== undefined) keepApart(cwd, workspace);
  if (request.home !== 'temp' && request.home !== 'inherit') givenFolder(request.home, '--home');
  resolveCommand(command[0], { cwd, path: request.parentEnv.PATH });
  const auth = request.auth ?? profile?.auth;
  const named = { ...profile?.env, ...Object.fromEntries(request.env) };
  const allowed = new Set([...request.allow, ...(profile?.allow ?? [])]);
  const granted = [...(auth ? ['auth-credentials'] : []), ...[...allowed].map(name => `opt-in:${name}`)];

  const begin: Plan['begin'] = async () => {
    const startedAt = new Date();
    const run = randomUUID();
    const guardian = await startGuardian({ run });
    try {
      const folders = createRunFolders(guardian);
      const home = request.home === 'temp' ? undefined : homeFolder(request.home, folders);
      const { command: program, notice } = await resolvePackageRunner(command, {
        cwd,
        env: { ...request.parentEnv, ...named },
        folder: folders.root,
        guardian,
        timeoutMs: request.startTimeoutMs,
        interrupted: request.interrupted,
      });
      const folder = createReportFolder(request.out, startedAt);
      return {
        options: {
          ...request,
          run,
          clock: systemClock,
          instances,
          scripts,
          tiers,
          folder,
          redactor,
          startedAt,
          promptsAllowed,
          granted: new Set(granted),
          bindings: scriptBindings({ profile, triggers, auth }),
          subject: processSubject({
            command,
            program,
            cwd,
            guardian,
            createHome: () => home ?? folders.createHome(),
            createWorkspace: () => workspace ?? folders.createWorkspace(),
            environment: scenarioHome =>
              agentEnvironment({
                run,
                home: scenarioHome,
                env: named,
                secrets: Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
                parent: request.parentEnv,
              }),
            homeFiles: profile?.files ?? {},
          }),
          shown: shownOptions(request, { tiers, auth, granted, promptsAllowed }),
        },
        folders,
        ...(notice !== undefined && { notice: redactor.value(notice) }),
        end: () => guardian.end(),
      };
    } catch (error) {
      await guardian.end();
      throw error;
    }
  };
  return { command: redactor.value(command), instances, tiers, promptsAllowed, begin };
};

/** @throws UserError for a name that no requirement waits for, and for a prompt without words */
const checkTriggers = (triggers: CertifyRequest['triggers'], { conditions }: Catalogue): void => {
  const known = [...conditions.keys()].flatMap(condition => /^trigger:(.*)/.exec(condition)?.[1] ?? []);
  const [unknown] = triggers.map(([name]) => name).filter(name => !known.includes(name));
  const [empty] = triggers.flatMap(([name, text]) => (text.trim() === '' ? [name] : []));
  if (unknown === undefined && empty === undefined) return;
  if (unknown === undefined)
    throw new UserError(`the text of "${empty}" is empty; give the prompt that makes the agent do it`, {
      place: '--trigger',
    });
  throw new UserError(`unknown trigger "${unknown}"${suggestion(unknown, known.sort())}`, {
    place: '--trigger',
  });
};

/** As far as the means go: prompts cost money, and what an agent must be brought to do needs triggers. */
const possibleTiers = (
  promptsAllowed: boolean,
  triggers: Readonly<Record<string, string>>,
): readonly Tier[] =>
  allTiers.filter(
    tier =>
      tier === 'core' ||
      (tier === 'turn' && promptsAllowed) ||
      (tier === 'scripted' && Object.keys(triggers).length > 0),
  );

const tiersOf = (instances: readonly ScriptInstance[]): readonly Tier[] => {
  const used = new Set(instances.map(({ script }) => tierOfScript(script)));
  return allTiers.filter(tier => used.has(tier));
};

/** What shapes the verdicts, and all that `verify` needs to derive them again; no values of variables. */
const shownOptions = (
  request: CertifyRequest,
  {
    tiers,
    auth,
    granted,
    promptsAllowed,
  }: {
    readonly tiers: readonly Tier[];
    readonly auth: string | undefined;
    readonly granted: readonly string[];
    readonly promptsAllowed: boolean;
  },
): CertifyOptions['shown'] => ({
  tiers,
  failOn: request.failOn,
  jobs: request.jobs,
  ...(request.isolate && { isolate: true }),
  repeat: request.repeat,
  timeoutMs: request.timeoutMs,
  startTimeoutMs: request.startTimeoutMs,
  granted,
  promptsAllowed,
  env: request.env.map(([name]) => name),
  secrets: request.secrets,
  triggers: request.triggers.map(([name, text]) => `${name}=${text}`),
  prompts: request.prompts,
  ...definedOnly({
    manifest: request.manifest,
    profile: request.profile,
    rules: request.rules,
    maxFailures: request.maxFailures,
    workspace: request.workspace,
    auth,
  }),
  ...(request.allowIncomplete && { allowIncomplete: true }),
  ...(request.allow.length > 0 && { allow: request.allow }),
  ...(request.home !== 'temp' && { home: request.home }),
  ...(request.cwd !== '.' && { cwd: request.cwd }),
  ...(request.only.length > 0 && { only: request.only }),
  ...(request.skip.length > 0 && { skip: request.skip }),
});

const definedOnly = <T extends Record<string, unknown>>(
  record: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
