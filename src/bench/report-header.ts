/** The header of a report, and the digest that says when two reports were judged alike. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, platform, release as systemRelease } from 'node:os';
import { benchVersion } from '../base/index.ts';
import { catalogueFile } from '../catalogue/index.ts';
import type { Release } from '../protocol/index.ts';
import type { Report } from '../report/index.ts';
import { allRules } from '../rules/index.ts';
import type { Json, Party } from '../wire/index.ts';

export interface HeaderOptions {
  readonly release: Release;
  readonly subject: Party;
  readonly command: readonly string[];
  readonly agentInfo: Json | undefined;
  readonly startedAt: Date;
  /** What shapes the run, for people and for `--last-failed`. */
  readonly options: Readonly<Record<string, Json>>;
  /** Digests of the scripts that were run. */
  readonly scripts: readonly string[];
}

export const reportHeader = (from: HeaderOptions): Report['header'] => ({
  report: 'acp-testbench/1',
  tool: benchVersion(),
  rulesDigest: rulesDigest(from.release, from.scripts),
  schemaRelease: from.release,
  subject: from.subject,
  command: from.command,
  ...(from.agentInfo !== undefined && { agentInfo: from.agentInfo }),
  platform: `${platform()} ${systemRelease()} ${arch()}, Node ${process.version}`,
  startedAt: from.startedAt.toISOString(),
  options: from.options,
});

/** Rules are code and change only with the version; catalogue and scripts are data that users can edit. */
const rulesDigest = (release: Release, scripts: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([benchVersion(), release, allRules.map(({ name }) => name), [...scripts].sort()]))
    .update(readFileSync(catalogueFile()))
    .digest('hex');
