import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './step.mjs';

const CONFIGURATION = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Whether dist was made from the sources as they are now. */
export function isBuilt(root) {
  const stamp = join(root, 'dist/.stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root);
}

/** What is bundled when all is compiled, by what. */
const BUNDLERS = [
  ['the workflows', 'dist/worker/bundle.js'],
  ['the process for expressions', 'expressions/build.mjs'],
  ['the pages', 'viewer/build.mjs'],
];

/**
 * Compiles into dist, removes what has no source any more, and bundles what runs in one piece. With
 * `force`, from nothing.
 */
export async function build(root, { force }) {
  // The stamp goes first and comes back last: a build that was interrupted is not taken for a
  // finished one.
  rmSync(join(root, 'dist/.stamp'), { force: true });
  if (force) removeOutput(root);
  const made = fingerprint(root);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await step('compiling', process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root });
  removeOrphans(root);
  for (const [what, bundler] of BUNDLERS) {
    await step(`bundling ${what}`, process.execPath, [bundler], { cwd: root });
  }
  writeFileSync(join(root, 'dist/.stamp'), made);
}

function sourceFolders(root) {
  return JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;
}

/** A hash over everything that decides what the build makes. */
function fingerprint(root) {
  const hash = createHash('sha256');
  const sources = sourceFolders(root).flatMap((folder) => filesBelow(root, folder));
  for (const path of [...CONFIGURATION, ...sources.sort()]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length));
}

/** All of dist but the lock that this process holds. */
function removeOutput(root) {
  for (const name of readdirSync(join(root, 'dist'))) {
    if (name !== '.lock') rmSync(join(root, 'dist', name), { recursive: true });
  }
}

function removeOrphans(root) {
  for (const folder of readdirSync(join(root, 'dist'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const path of filesBelow(root, join('dist', folder.name))) {
      const source = path.slice('dist/'.length).replace(/\.js(\.map)?$/, '.ts');
      if (source.endsWith('.ts') && !existsSync(join(root, source))) rmSync(join(root, path));
    }
  }
}
