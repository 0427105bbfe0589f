import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { step } from './step.mjs';

const CONFIGURATION = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Whether dist, of each package too, was made from the sources as they are now. */
export function isBuilt(root) {
  return arePackagesBuilt(root) && stampOf(root, '.') === fingerprint(root);
}

function arePackagesBuilt(root) {
  const made = packagesFingerprint(root);
  return packageFolders(root).every((folder) => stampOf(root, folder) === made);
}

/** What the dist of a folder was made from: the fingerprint of then. */
function stampOf(root, folder) {
  const stamp = join(root, folder, 'dist/.stamp');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

/** What is bundled when all is compiled, by what. */
const BUNDLERS = [
  ['the workflows', 'dist/worker/bundle.js'],
  ['the process for expressions', 'expressions/build.mjs'],
  ['the pages', 'viewer/build.mjs'],
];

/**
 * Compiles the packages and the product, each into its dist, removes what has no source any more,
 * and bundles what runs in one piece. With `force`, from nothing.
 */
export async function build(root, { force }) {
  // The stamp goes first and comes back last: a build that was interrupted is not taken for a
  // finished one.
  rmSync(join(root, 'dist/.stamp'), { force: true });
  if (force) removeOutput(root);
  const made = fingerprint(root);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  if (!arePackagesBuilt(root)) await buildPackages(root, compiler);
  await step('compiling', process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root });
  removeOrphans(root);
  for (const [what, bundler] of BUNDLERS) {
    await step(`bundling ${what}`, process.execPath, [bundler], { cwd: root });
  }
  writeFileSync(join(root, 'dist/.stamp'), made);
}

async function buildPackages(root, compiler) {
  const made = packagesFingerprint(root);
  for (const folder of packageFolders(root)) {
    rmSync(join(root, folder, 'dist/.stamp'), { force: true });
    const project = join(folder, 'tsconfig.build.json');
    await step(`compiling ${folder}`, process.execPath, [compiler, '-p', project], { cwd: root });
    removeOrphansOf(root, { output: join(folder, 'dist'), sources: join(folder, 'src') });
    writeFileSync(join(root, folder, 'dist/.stamp'), made);
  }
}

function buildConfiguration(root) {
  return JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
}

/** The packages of the workspace, each after those that it imports. */
function packageFolders(root) {
  return (buildConfiguration(root).references ?? []).map(({ path }) => dirname(path));
}

/** A hash over everything that decides what the build makes. */
function fingerprint(root) {
  const sources = buildConfiguration(root).include.flatMap((folder) => filesBelow(root, folder));
  const hash = hashOf(root, [...CONFIGURATION, ...sources.sort()]);
  return hash.update(packagesFingerprint(root)).digest('hex');
}

/** Of all packages together, as they import each other. */
function packagesFingerprint(root) {
  const folders = packageFolders(root);
  const places = [...new Set(folders.map(dirname)), ...folders];
  const own = places.flatMap((at) => ['package.json', 'tsconfig.build.json'].map((name) => join(at, name)));
  const sources = folders.flatMap((folder) => filesBelow(root, join(folder, 'src')));
  const there = own.filter((path) => existsSync(join(root, path)));
  return hashOf(root, [...CONFIGURATION, ...there, ...sources.sort()]).digest('hex');
}

function hashOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash;
}

function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length));
}

/** All of dist but the lock that this process holds, and the packages'. */
function removeOutput(root) {
  for (const folder of packageFolders(root)) {
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  }
  for (const name of readdirSync(join(root, 'dist'))) {
    if (name !== '.lock') rmSync(join(root, 'dist', name), { recursive: true });
  }
}

function removeOrphans(root) {
  for (const folder of readdirSync(join(root, 'dist'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    removeOrphansOf(root, { output: 'dist', sources: '.', below: folder.name });
  }
}

function removeOrphansOf(root, { output, sources, below = '' }) {
  for (const path of filesBelow(root, join(output, below))) {
    const source = path.slice(output.length + 1).replace(/(\.d\.ts|\.js(\.map)?)$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join(root, sources, source))) rmSync(join(root, path));
  }
}
