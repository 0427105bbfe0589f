// `node deploy/prune-packages.mjs FOLDER`: removes files from node_modules that an API or a worker
// never uses: packages of the embedded servers, Temporal's native code for other machines, native
// sources, types, source maps and notes. Licences stay.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Used by `npm start` only (docs/decisions/packages.md). */
const EMBEDDED = ['@parlance', '@lmdb', 'lmdb', 'mongodb-memory-server-core'];
const BRIDGE = join('@temporalio', 'core-bridge');
const NEVER_READ = /(\.d\.[mc]?ts|\.map|\.md|\.markdown)$/i;
const LICENCE = /^(licen[cs]e|notice|copying|copyright)/i;

export function isForThisMachine(release, { platform, arch } = process) {
  const [cpu, , system] = release.split('-');
  const cpus = { x64: 'x86_64', arm64: 'aarch64' };
  const systems = { linux: 'linux', darwin: 'darwin' };
  return cpu === cpus[arch] && system === systems[platform];
}

/** Prunes a `node_modules` folder. Throws if Temporal's native code for this machine is missing. */
export function prunePackages(modules) {
  for (const name of EMBEDDED) rmSync(join(modules, name), { recursive: true, force: true });
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
