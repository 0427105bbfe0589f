import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './step.mjs';

/**
 * Returns whether node_modules matches package-lock.json. npm writes
 * node_modules/.package-lock.json last, so installs by hand count too.
 */
export function areInstalled(root, { development }) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional, dev, devOptional, link }]) => {
    // Optional packages are for other systems. Paths outside node_modules are the product's own.
    if (!path.includes('node_modules/') || optional || devOptional || (dev && !development)) return true;
    // A workspace package is a link to its folder.
    if (link) return existsSync(join(root, path));
    return present[path]?.version === version;
  });
}

/** Runs `npm ci` without install scripts: all packages have prebuilt binaries. */
export async function install(root, { development }) {
  const args = ['ci', '--ignore-scripts', ...(development ? ['--include=dev'] : [])];
  const npm = process.env.npm_execpath;
  const what = 'installing packages (npm ci)';
  if (npm) return step(what, process.execPath, [npm, ...args], { cwd: root });
  return step(what, 'npm', args, { cwd: root });
}

function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}
