// `node deploy/prune-packages.mjs FOLDER`: removes files from node_modules that an API or a worker
// never uses: packages that they cannot reach, Temporal's native code for other machines, native
// sources, types, source maps and notes. Licences stay.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLock } from './licences.mjs';

/** Only `npm start` uses the built-in store and the locks (docs/decisions/packages.md). */
const isEmbedded = (name) => name.startsWith('@parlance/');

/**
 * Dependencies that are loaded only to bundle workflows, by package. The build has done that: the
 * image needs neither them nor their dependencies.
 */
const BUNDLING = {
  '@temporalio/worker': ['@swc/core', 'swc-loader'],
  webpack: ['minimizer-webpack-plugin'],
};

const BRIDGE = join('@temporalio', 'core-bridge');
const NEVER_READ = /(\.d\.[mc]?ts|\.map|\.md|\.markdown)$/i;
const LICENCE = /^(licen[cs]e|notice|copying|copyright)/i;

export function isForThisMachine(release, { platform, arch } = process) {
  const [cpu, , system] = release.split('-');
  const cpus = { x64: 'x86_64', arm64: 'aarch64' };
  const systems = { linux: 'linux', darwin: 'darwin' };
  return cpu === cpus[arch] && system === systems[platform];
}

/**
 * Returns the paths (`node_modules/koa`) of the packages in a lock file that the product can reach
 * from its dependencies.
 */
export function reachablePackages(packages) {
  const reached = new Set();
  const visit = (path, { dependencies, optionalDependencies, peerDependencies }) => {
    const left = BUNDLING[path.split('node_modules/').at(-1)] ?? [];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found =
        left.includes(name) || isEmbedded(name) ? undefined : locate(packages, { from: path, name });
      if (found === undefined || reached.has(found)) continue;
      reached.add(found);
      visit(found, packages[found]);
    }
  };
  visit('', packages['']);
  return reached;
}

/** Searches as Node does: beside the package, then in each folder above. */
function locate(packages, { from, name }) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (at === '') return undefined;
  }
}

function removeUnreachable(modules, packages) {
  const reached = reachablePackages(packages);
  for (const path of Object.keys(packages)) {
    if (!path.startsWith('node_modules/') || reached.has(path)) continue;
    // A package inside an unreachable package is unreachable too.
    rmSync(join(modules, path.slice('node_modules/'.length)), { recursive: true, force: true });
  }
}

/**
 * Prunes a `node_modules` folder of the product. Throws if Temporal's native code for this machine
 * is missing.
 */
export function prunePackages(modules, packages = readLock().packages) {
  removeUnreachable(modules, packages);
  const releases = join(modules, BRIDGE, 'releases');
  const [own, others] = [[], []];
  for (const name of readdirSync(releases)) (isForThisMachine(name) ? own : others).push(name);
  if (own.length === 0) throw new Error(`${releases} has nothing for ${process.platform} ${process.arch}`);
  for (const name of others) rmSync(join(releases, name), { recursive: true });
  rmSync(join(modules, BRIDGE, 'sdk-core'), { recursive: true, force: true });
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && NEVER_READ.test(entry.name) && !LICENCE.test(entry.name))
      rmSync(join(entry.parentPath, entry.name));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder = '.'] = process.argv;
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) throw new Error(`${modules} is not there`);
  prunePackages(modules);
}
