import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { say, step } from './step.mjs';

const CONFIGURATION = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

const COMPILER = 'node_modules/typescript/bin/tsc';
/** Committed sources have passed `npm run check`, so the first build skips the type check. */
const WITHOUT_TYPE_CHECK = '--noCheck';

/**
 * Build steps in order. `from`: source folders and files, by default all that are compiled.
 * `output`: path of bundled files in dist, relative to the root.
 */
export const PARTS = [
  { name: 'compiling', program: [COMPILER, '-p', 'tsconfig.build.json'] },
  {
    name: 'bundling the workflows',
    from: ['workflows', 'domain', 'worker'],
    program: ['dist/worker/bundle.js'],
    output: 'dist/workflow-bundle.js',
  },
  {
    name: 'bundling the process for expressions',
    from: ['application/expressions', 'domain'],
    program: ['application/expressions/build.mjs'],
  },
  {
    name: 'bundling the pages',
    from: ['web', 'domain'],
    program: ['web/build.mjs'],
    output: 'dist/web/assets/',
  },
  {
    name: 'rendering the guides',
    from: ['docs', 'web', 'examples', 'CHANGELOG.md', 'packages/client/README.md', 'packages/cli/README.md'],
    program: ['web/guides.mjs'],
    output: 'dist/web/guides/',
  },
];

export function isBuilt(root) {
  const packages = packagesFingerprint(root);
  return arePackagesBuilt(root, packages) && staleParts(root, fingerprints(root, packages)).length === 0;
}

function arePackagesBuilt(root, made) {
  return packageFolders(root).every((folder) => stampOf(root, folder) === made);
}

function stampOf(root, folder) {
  const stamp = join(root, folder, 'dist/.stamp');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

/**
 * Builds the outdated packages and parts, or everything with `force`. Removes output without a
 * source.
 */
export async function build(root, { force }) {
  const startedAt = Date.now();
  const compilerOptions = force || existsSync(join(root, 'dist/.tsbuildinfo')) ? [] : [WITHOUT_TYPE_CHECK];
  if (force) removeOutput(root);
  const packages = packagesFingerprint(root);
  const made = fingerprints(root, packages);
  const stale = staleParts(root, made);
  // Drop the stamps of outdated parts, so that an interrupted build never looks complete.
  const kept = Object.entries(made).filter(([name]) => stale.every((part) => part.name !== name));
  writeStamp(root, Object.fromEntries(kept));
  if (!arePackagesBuilt(root, packages)) await buildPackages(root, { made: packages, compilerOptions });
  for (const { name, program } of stale) {
    const options = program[0] === COMPILER ? compilerOptions : [];
    await step(name, process.execPath, [...program, ...options], { cwd: root });
    if (name === 'compiling') removeOrphans(root, { output: 'dist', sources: '.' });
  }
  writeStamp(root, made);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  say(`built ${stale.length} of ${PARTS.length} parts in ${seconds} s`);
}

function staleParts(root, fingerprintsNow) {
  const stamp = partStamps(root);
  return PARTS.filter(({ name }) => stamp[name] !== fingerprintsNow[name]);
}

function partStamps(root) {
  try {
    return JSON.parse(stampOf(root, '.') ?? '{}');
  } catch {
    return {};
  }
}

function writeStamp(root, stamps) {
  writeFileSync(join(root, 'dist/.stamp'), JSON.stringify(stamps, null, 2));
}

async function buildPackages(root, { made, compilerOptions }) {
  for (const folder of packageFolders(root)) {
    rmSync(join(root, folder, 'dist/.stamp'), { force: true });
    const project = join(folder, 'tsconfig.build.json');
    const program = [COMPILER, '-p', project, ...compilerOptions];
    await step(`compiling ${folder}`, process.execPath, program, { cwd: root });
    removeOrphans(root, { output: join(folder, 'dist'), sources: join(folder, 'src') });
    rewriteDeclarations(root, join(folder, 'dist'));
    writeFileSync(join(root, folder, 'dist/.stamp'), made);
  }
}

/** The compiler leaves `./file.ts` in declarations, which a project with other options rejects. */
function rewriteDeclarations(root, folder) {
  for (const path of filesBelow(root, folder).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(root, path), 'utf8');
    const rewritten = text.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js');
    if (rewritten !== text) writeFileSync(join(root, path), rewritten);
  }
}

function buildConfiguration(root) {
  return JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
}

/** Returns the workspace packages, in dependency order. */
function packageFolders(root) {
  return (buildConfiguration(root).references ?? []).map(({ path }) => dirname(path));
}

function fingerprints(root, packages) {
  const { include, exclude = [] } = buildConfiguration(root);
  const isCompiled = (path) => !exclude.some((folder) => path.startsWith(`${folder}/`));
  return Object.fromEntries(
    PARTS.map(({ name, from }) => {
      const files = (from ?? include).flatMap((folder) => filesBelow(root, folder));
      const sources = from ? files : files.filter(isCompiled);
      const hash = hashOf(root, [...CONFIGURATION, ...sources.sort()]);
      return [name, hash.update(packages).digest('hex')];
    }),
  );
}

/** Returns one fingerprint for all packages, because they import each other. */
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
  if (statSync(join(root, folder)).isFile()) return [folder];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length));
}

function removeOutput(root) {
  for (const folder of packageFolders(root)) {
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true });
  }
  for (const name of readdirSync(join(root, 'dist'))) {
    if (name !== '.lock') rmSync(join(root, 'dist', name), { recursive: true });
  }
}

function removeOrphans(root, { output, sources }) {
  for (const path of filesBelow(root, output)) {
    const source = path.slice(output.length + 1).replace(/(\.d\.ts|\.js(\.map)?)$/, '.ts');
    const isBundled = PARTS.some((part) => part.output && path.startsWith(part.output));
    if (source.endsWith('.ts') && !isBundled && !existsSync(join(root, sources, source)))
      rmSync(join(root, path));
  }
}
