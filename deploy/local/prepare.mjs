// Runs before `npm start`, `npm test` and similar scripts: installs packages and builds, each only
// if needed. Uses no packages, because on a fresh clone none are installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './prepare/build.mjs';
import { say, step, withLock } from './prepare/step.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const force = process.argv.includes('--force');
// These scripts need the development packages even if no build is needed.
const needsDevelopmentPackages = /^pre(test|dev|check|chaos)/.test(process.env.npm_lifecycle_event ?? '');

async function prepare() {
  assertPlatform();
  assertNodeVersion(process.versions.node);
  // A production image has dist and no sources, so nothing can be built.
  if (!existsSync(join(root, 'tsconfig.build.json'))) return;
  const first = needs();
  if (!first.building && !first.installing) return;
  await withLock(join(root, 'dist'), async () => {
    const { building, development, installing } = needs();
    if (installing) await install({ development });
    if (building) await build(root, { force });
  });
}

function needs() {
  const building = force || !isBuilt(root);
  const development = building || needsDevelopmentPackages;
  return { building, development, installing: !areInstalled({ development }) };
}

/** Repeats `platformProblem` of deploy/local/start-problem.ts, which may not be compiled yet. */
function assertPlatform() {
  if (process.platform === 'win32')
    throw new Error('Parlance runs on Linux and macOS; on Windows use WSL 2 or Docker.');
}

function assertNodeVersion(version) {
  const { engines } = readJson('package.json');
  if (engines.node.split('||').some((range) => satisfies(version, range.trim()))) return;
  throw new Error(
    `this is Node ${version}, but Parlance needs Node ${engines.node}. Install one of these and try again.`,
  );
}

/** Supports the two forms that package.json uses: `^20.19` and `>=24`. */
function satisfies(version, range) {
  const [, operator, ...least] = /^(\^|>=)(\d+)(?:\.(\d+))?/.exec(range);
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = [Number(least[0]), Number(least[1] ?? 0)];
  if (major === leastMajor) return minor >= leastMinor;
  return operator === '>=' && major > leastMajor;
}

/**
 * Returns whether node_modules matches package-lock.json. npm writes
 * node_modules/.package-lock.json last: after an interrupted install, the file is missing or
 * outdated.
 */
function areInstalled({ development }) {
  const wanted = readJson('package-lock.json')?.packages ?? {};
  const present = readJson('node_modules/.package-lock.json')?.packages ?? {};
  return Object.entries(wanted).every(([path, { version, optional, dev, devOptional, link }]) => {
    // Optional packages are for other systems. Paths outside node_modules are the product's own.
    if (!path.includes('node_modules/') || optional || devOptional || (dev && !development)) return true;
    // A workspace package is a link to its folder.
    if (link) return existsSync(join(root, path));
    return present[path]?.version === version;
  });
}

/** Runs `npm ci` without install scripts: all packages have prebuilt binaries. */
async function install({ development }) {
  const args = ['ci', '--ignore-scripts', '--loglevel=error', ...(development ? ['--include=dev'] : [])];
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  await step('installing packages (npm ci)', command, [...first, ...args], { cwd: root });
}

function readJson(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

try {
  await prepare();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
