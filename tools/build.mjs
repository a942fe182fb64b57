// Builds dist/ from src/ at the same depth, so that paths to shipped data are equal in both.
// Files are overwritten in place and stale ones removed, so that a running process keeps its modules.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const run = (...args) => {
  const child = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (child.status !== 0) process.exit(child.status ?? 1);
};

run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');

// dist/generated/ is not compiled from src/ but written by the schema build below; dist/scripts/ holds no such files.
const isStale = path =>
  !path.startsWith('generated') &&
  /\.(js|d\.ts)$/.test(path) &&
  !existsSync(`src/${path.replace(/\.(js|d\.ts)$/, '.ts')}`);
for (const path of readdirSync('dist', { recursive: true })) {
  if (isStale(path)) rmSync(`dist/${path}`);
}

chmodSync('dist/cli/main.js', 0o755);
run('--import', 'tsx', 'tools/build-schemas.ts');
run('--import', 'tsx', 'tools/build-scripts.ts');
