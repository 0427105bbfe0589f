// Runs before `npm start`, `npm test` and similar scripts: installs packages and builds, each only
// if needed. Uses no packages, because on a fresh clone none are installed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './prepare/build.mjs';
import { withLock } from './prepare/lock.mjs';
import { nodeVersionProblem } from './prepare/node-version.mjs';
import { areInstalled, install } from './prepare/packages.mjs';
import { platformProblem } from './prepare/platform.mjs';
import { say } from './prepare/step.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const force = process.argv.includes('--force');
// These scripts need the development packages even if no build is needed.
const needsDevelopmentPackages = /^pre(test|dev|check|chaos)/.test(process.env.npm_lifecycle_event ?? '');

function needs() {
  const building = force || !isBuilt(root);
  const development = building || needsDevelopmentPackages;
  return { building, development, installing: !areInstalled(root, { development }) };
}

async function prepare() {
  const problem = platformProblem(process.platform) ?? nodeVersionProblem(root, process.versions.node);
  if (problem) throw new Error(problem);
  // A production image has dist and no sources, so nothing can be built.
  if (!existsSync(join(root, 'tsconfig.build.json'))) return;
  const first = needs();
  if (!first.building && !first.installing) return;
  await withLock(join(root, 'dist'), async () => {
    const { building, development, installing } = needs();
    if (installing) await install(root, { development });
    if (building) await build(root, { force });
  });
}

try {
  await prepare();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
