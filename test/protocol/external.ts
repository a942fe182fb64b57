/** Folders that lie outside the repository and that only the environment can name. */
import type { TestContext } from 'node:test';

/**
 * The folder that the variable names. Without it the test is skipped, loudly, or fails where
 * `ACP_TESTBENCH_REQUIRE_COUNTERPARTIES=1` demands that nothing is left out.
 */
export const external = (t: TestContext, variable: string): string | undefined => {
  const folder = process.env[variable];
  if (folder) return folder;
  const notice = `${variable} is not set`;
  if (process.env.ACP_TESTBENCH_REQUIRE_COUNTERPARTIES === '1') throw new Error(notice);
  console.error(`NOTICE: ${notice}; "${t.name}" is skipped`);
  t.skip(notice);
  return undefined;
};
