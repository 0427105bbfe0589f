// `npm run release -- 0.2.0`: releases the committed state. Writes the version into every
// package.json and the changelog, commits and tags. Fails before that if another npm user
// owns a name of a package. Puts the npm packages, the bill of materials
// and the notes into build-output/release. Builds the image unless `--no-image` is given. Publishes
// nothing, and prints the commands that do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'build-output/release';
const UNRELEASED = / \(unreleased\)$/m;
const EVERYWHERE = ['--workspaces', '--include-workspace-root'];

/**
 * Returns the changelog with its unreleased section dated today. Throws if the section is missing.
 */
export function released(changelog, version, today = new Date()) {
  const heading = /^## (.+)$/m.exec(changelog)?.[0] ?? '';
  if (!UNRELEASED.test(heading)) throw new Error('CHANGELOG.md does not begin with what is unreleased');
  return changelog.replace(heading, `## ${version}, ${today.toISOString().slice(0, 10)}`);
}

export function notesOf(changelog) {
  const [, newest = ''] = changelog.split(/^## .*$/m);
  return newest.trim();
}

/**
 * Returns a package.json whose workspace dependencies have the version of this release, with the
 * public addresses of the root's package.json.
 */
export function published(manifest, { version, folder, root }) {
  const { repository, homepage, bugs } = root;
  const addresses = { repository: { ...repository, directory: folder }, homepage, bugs };
  return { ...pinned(manifest, version), ...(folder === '.' ? {} : addresses) };
}

function pinned(manifest, version) {
  if (!manifest.dependencies) return manifest;
  const dependencies = Object.entries(manifest.dependencies).map(([name, range]) => [
    name,
    name.startsWith('@parlance/') ? version : range,
  ]);
  return { ...manifest, dependencies: Object.fromEntries(dependencies) };
}

/**
 * Returns the names that the registry has and that `user`, the npm user of this machine, does not
 * maintain. A free scope looks like a scope without public packages.
 */
export async function foreignNames(names, { registry, findUser }) {
  const maintainers = await Promise.all(names.map((name) => findMaintainers(name, registry)));
  const taken = names.filter((_, at) => maintainers[at] !== null);
  if (taken.length === 0) return [];
  const user = findUser();
  return names.filter((_, at) => maintainers[at] !== null && !maintainers[at].includes(user));
}

const REGISTRY_MS = 30_000;

/** Returns null for a free name. Throws if the registry returns neither a package nor 404. */
async function findMaintainers(name, registry) {
  const address = `${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(REGISTRY_MS) });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the registry returned ${response.status} for ${name}`);
  const { maintainers = [] } = await response.json();
  return maintainers.map((one) => one.name);
}

const ADDRESSES = ['repository', 'homepage', 'bugs'];

export function obstacle({ version, current, changes, tags, root, foreign = [] }) {
  if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version ?? '')) {
    return `usage: npm run release -- VERSION, as 0.2.0; now it is ${current}`;
  }
  if (tags.includes(`v${version}`)) return `v${version} has been released already`;
  if (changes !== '') return `commit these first:\n${changes}`;
  const missing = ADDRESSES.filter((name) => !root[name]);
  if (missing.length > 0)
    return `package.json has no ${missing.join(', ')}: npm publishes them, and checks the first`;
  if (foreign.length > 0) {
    return `the registry has packages of another owner: ${foreign.join(', ')}. Log in as their owner, or take other names.`;
  }
  return undefined;
}

const run = (command, ...args) => execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });
const read = (command, ...args) => execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' });

/** Returns undefined without a login. */
function findUser() {
  try {
    return read('npm', 'whoami').trim();
  } catch {
    return undefined;
  }
}

async function release(version, { image }) {
  const root = manifestOf('.');
  const { version: current } = root;
  const [changes, tags] = [read('git', 'status', '--porcelain').trim(), read('git', 'tag').split('\n')];
  const names = ['.', ...packages()].map((folder) => manifestOf(folder).name);
  const registry = read('npm', 'config', 'get', 'registry').trim();
  const foreign = await foreignNames(names, { registry, findUser });
  const problem = obstacle({ version, current, changes, tags, root, foreign });
  if (problem) throw new Error(problem);
  const changelog = released(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  run('npm', 'run', 'build');
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  writeFileSync(join(ROOT, 'CHANGELOG.md'), changelog);
  writeFileSync(join(ROOT, FOLDER, 'notes.md'), `${notesOf(changelog)}\n`);
  setVersion(version, root);
  run('npm', 'pack', ...EVERYWHERE, '--loglevel=error', '--pack-destination', FOLDER);
  writeFileSync(join(ROOT, FOLDER, 'sbom.json'), read('npm', 'run', '--silent', 'sbom'));
  if (image) run('docker', 'build', '--tag', `parlance:${version}`, '.');
  run('git', 'commit', '--all', '--quiet', '--message', `release: ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Parlance ${version}`);
  console.log(howToPublish(version, { image }));
}

const manifestOf = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));

const packages = () =>
  readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `packages/${name}`);

function setVersion(version, root) {
  run('npm', 'version', version, ...EVERYWHERE, '--no-git-tag-version', '--allow-same-version');
  for (const folder of ['.', ...packages()]) {
    const manifest = published(manifestOf(folder), { version, folder, root });
    writeFileSync(join(ROOT, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
}

function howToPublish(version, { image }) {
  const lines = [
    `\nparlance ${version} is in ${FOLDER}. To publish it:`,
    '  git push --follow-tags',
    `  for one in ${FOLDER}/*.tgz; do npm publish --access public "$one"; done`,
  ];
  const name = `REGISTRY/parlance:${version}`;
  const push = `  docker tag parlance:${version} ${name} && docker push ${name}`;
  return [...lines, ...(image ? [push] : [])].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = { 'no-image': { type: 'boolean' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  try {
    await release(positionals[0], { image: !values['no-image'] });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
