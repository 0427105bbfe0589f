// `npm run release -- 0.2.0`: releases the committed state. Writes the version into every
// package.json and the changelog, commits and tags. Puts the npm packages, the bill of materials
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

/** Returns a package.json whose workspace dependencies have the version of this release. */
export function pinned(manifest, version) {
  if (!manifest.dependencies) return manifest;
  const dependencies = Object.entries(manifest.dependencies).map(([name, range]) => [
    name,
    name.startsWith('@parlance/') ? version : range,
  ]);
  return { ...manifest, dependencies: Object.fromEntries(dependencies) };
}

export function obstacle({ version, current, changes, tags }) {
  if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version ?? '')) {
    return `usage: npm run release -- VERSION, as 0.2.0; now it is ${current}`;
  }
  if (tags.includes(`v${version}`)) return `v${version} has been released already`;
  if (changes !== '') return `commit these first:\n${changes}`;
  return undefined;
}

const run = (command, ...args) => execFileSync(command, args, { cwd: ROOT, stdio: 'inherit' });
const read = (command, ...args) => execFileSync(command, args, { cwd: ROOT, encoding: 'utf8' });

function release(version, { image }) {
  const { version: current } = manifestOf('.');
  const [changes, tags] = [read('git', 'status', '--porcelain').trim(), read('git', 'tag').split('\n')];
  const problem = obstacle({ version, current, changes, tags });
  if (problem) throw new Error(problem);
  const changelog = released(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  run('npm', 'run', 'build');
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  writeFileSync(join(ROOT, 'CHANGELOG.md'), changelog);
  writeFileSync(join(ROOT, FOLDER, 'notes.md'), `${notesOf(changelog)}\n`);
  setVersion(version);
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

function setVersion(version) {
  run('npm', 'version', version, ...EVERYWHERE, '--no-git-tag-version', '--allow-same-version');
  for (const folder of ['.', ...packages()]) {
    const manifest = `${JSON.stringify(pinned(manifestOf(folder), version), null, 2)}\n`;
    writeFileSync(join(ROOT, folder, 'package.json'), manifest);
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
    release(positionals[0], { image: !values['no-image'] });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
