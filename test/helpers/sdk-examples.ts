/** The example agents of the ACP SDK that this project installs, and how they are certified. */
import { existsSync } from 'node:fs';
import { shipped } from '../../src/base/index.ts';
import type { Report } from '../../src/report/index.ts';
import { certified, requestFor } from './certify.ts';

export const sdkVersions = ['0.14.1', '0.21.1', '1.0.0', '1.2.1', '1.4.0'] as const;
export type SdkVersion = (typeof sdkVersions)[number];

export const sdkExample = (version: SdkVersion): string =>
  shipped(`node_modules/acp-sdk-${version}/dist/examples/agent.js`);

export const isInstalled = (version: SdkVersion): boolean => existsSync(sdkExample(version));

/** Certifies an example with every scenario that its turn allows; `read` gets the report and its folder. */
export const certifiedExample = <T>(
  version: SdkVersion,
  read: (report: Report, folder: string) => T | Promise<T>,
): Promise<T> =>
  certified(
    requestFor([process.execPath, sdkExample(version)], { profile: 'sdk-example', timeoutMs: 15_000 }),
    read,
  );
