import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './step.mjs';

/**
 * Whether node_modules holds what package-lock.json asks for. npm keeps a list of what it has put
 * there (node_modules/.package-lock.json, written last), so this also knows an install that the
 * developer made.
 */
export function areInstalled(root, { development }) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional, dev, devOptional, link }]) => {
    // Optional packages are those of other systems; what is elsewhere is the product's own.
    if (!path.includes('node_modules/') || optional || devOptional || (dev && !development)) return true;
    // A package of the workspace is a link to its folder.
    if (link) return existsSync(join(root, path));
    return present[path]?.version === version;
  });
}

/**
 * Installs exactly what package-lock.json says. No package needs its install script: all bring
 * prebuilt binaries.
 */
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
