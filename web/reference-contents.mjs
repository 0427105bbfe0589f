// `node web/reference-contents.mjs`: writes web/reference-contents.json, the packages that the
// program of the API reference (Scalar) was built from, with their licence texts. Run it after an
// update of Scalar. They are bundled in one file and not installed, so npm does not list them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILE = new URL('reference-contents.json', import.meta.url);
const LICENCE = /^(licen[cs]e|copying)/i;
const { version } = JSON.parse(
  readFileSync(
    new URL('../node_modules/@scalar/fastify-api-reference/package.json', import.meta.url),
    'utf8',
  ),
);

const folder = mkdtempSync(join(tmpdir(), 'parlance-reference-'));
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=peer', '--loglevel=error'];
  // The Fastify package is built from the package of the same version.
  execFileSync('npm', ['install', ...quiet, `@scalar/api-reference@${version}`], { cwd: folder });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const found = new Map();
  for (const [path, { version, license: licence }] of Object.entries(lock.packages)) {
    const own = join(folder, path);
    if (path === '' || !existsSync(own)) continue;
    const name = path.split('node_modules/').at(-1);
    found.set(`${name}@${version}`, { name, version, licence, text: textOf(own) });
  }
  const sorted = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = [...new Set(sorted.map(({ text }) => text))];
  // Many packages share a text, so `text` is an index.
  const packages = sorted.map((one) => ({ ...one, text: texts.indexOf(one.text) }));
  writeFileSync(FILE, `${JSON.stringify({ version, packages, texts }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the licence text of a package, or its author where the package has no text. */
function textOf(folder) {
  const files = readdirSync(folder).filter((name) => LICENCE.test(name));
  if (files.length > 0)
    return files.map((name) => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n');
  const { author, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${license}. Author: ${author?.name ?? author ?? 'see the package'}`;
}
