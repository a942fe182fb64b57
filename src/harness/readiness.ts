/** Whether a run could begin: looked at in a fixed order before anything is started, and nothing is left behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Manifest,
  ManifestValidationError,
  missingReferences,
  validateManifest,
} from '../manifest/index.ts';
import type { AcpAgent } from './acp-agent.ts';
import { findExecutable, variablesOf } from './lookup.ts';
import type { HarnessOptions } from './options.ts';
import type { ContentBlock } from './prompt.ts';
import { hasCredentialsInUrl, referenceIn, valuesOf } from './servers.ts';

/** In the order in which they are looked for; the first that holds is told. */
export const readinessCodes = [
  'acp_executable_missing',
  'acp_manifest_invalid',
  'acp_environment_unavailable',
  'credential_query_unsupported',
  'credential_unavailable',
  'attachment_unsupported',
  'tool_policy_unsupported',
] as const;
export type ReadinessCode = (typeof readinessCodes)[number];

export interface Readiness {
  readonly ready: boolean;
  readonly reason: ReadinessCode | null;
  readonly capability: { readonly name: 'harness:acp'; readonly status: 'ready' | 'unavailable' };
}

/** Starts nothing and negotiates nothing: modes and options are looked at when the session starts. */
export const checkReadiness = (
  agent: AcpAgent,
  prompt: readonly ContentBlock[],
  options: HarnessOptions = {},
): Readiness => {
  const reason = firstObstacle(agent, prompt, options) ?? null;
  const ready = reason === null;
  return { ready, reason, capability: { name: 'harness:acp', status: ready ? 'ready' : 'unavailable' } };
};

const firstObstacle = (
  { manifest }: AcpAgent,
  prompt: readonly ContentBlock[],
  options: HarnessOptions,
): ReadinessCode | undefined => {
  const variables = variablesOf(options);
  const { command } = manifest;
  if (typeof command !== 'string' || findExecutable(command, variables.PATH) === undefined)
    return 'acp_executable_missing';
  const validated = validManifest(manifest);
  if (typeof validated === 'string') return validated;
  if (missingReferences(validated, variables).length > 0 || !canHaveHome())
    return 'acp_environment_unavailable';
  for (const server of options.servers ?? []) {
    if (hasCredentialsInUrl(server)) return 'credential_query_unsupported';
    const references = valuesOf(server).flatMap(([, value]) => referenceIn(value) ?? []);
    if (references.some(name => !variables[name])) return 'credential_unavailable';
  }
  if (prompt.some(({ type }) => type !== 'text')) return 'attachment_unsupported';
  return isPolicyEnforced(options) ? undefined : 'tool_policy_unsupported';
};

/** Whoever cannot say so does not enforce it. */
const isPolicyEnforced = ({ isPolicyEnforced: enforced }: HarnessOptions): boolean => {
  try {
    return enforced?.() ?? true;
  } catch {
    return false;
  }
};

/** The manifest, or what is wrong with it: an environment that could not be made has a code of its own. */
const validManifest = (manifest: AcpAgent['manifest']): Manifest | ReadinessCode => {
  try {
    return validateManifest(manifest).manifest;
  } catch (error) {
    if (!(error instanceof ManifestValidationError)) throw error;
    const isEnvironment = error.faults.every(({ field }) => field === 'env');
    return isEnvironment ? 'acp_environment_unavailable' : 'acp_manifest_invalid';
  }
};

/** The agent's home is made in the temporary folder; one is made and removed to see whether that works. */
const canHaveHome = (): boolean => {
  try {
    const probe = mkdtempSync(join(tmpdir(), 'acp-testbench-probe-'));
    rmSync(probe, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
};
