// `npm run licences` writes docs/licences.md, the licences of all shipped packages. `npm run
// check:licences` fails if that file is outdated. Both fail for a licence that is not on the lists
// below.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = new URL('../docs/licences.md', import.meta.url);

/** Licences that require only a notice. Shipped code may have no other licence. */
const AGREED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
];

/** Further licences: for data that is shipped unchanged, and for tools that are not shipped. */
const AGREED_DATA = ['CC-BY-4.0'];
const AGREED_TOOLS = ['MPL-2.0', 'Python-2.0'];

/** Licences that the lock file lacks, by package, taken from the package's own files. */
const SAID_ELSEWHERE = { unionfs: 'Unlicense' };

/** Development packages that are bundled into the pages and therefore shipped. */
export const BUNDLED = ['@scalar/fastify-api-reference', 'dompurify', 'preact'];

export function packagesOf(lock) {
  const found = new Map();
  for (const [path, { name: own, license, dev, devOptional, link }] of Object.entries(lock.packages)) {
    // Skip the product itself, and links: a workspace package has its own entry.
    if (path === '' || link) continue;
    const name = own ?? path.split('node_modules/').at(-1);
    const shipped = !(dev || devOptional) || BUNDLED.includes(name);
    const licence = license ?? SAID_ELSEWHERE[name] ?? 'unknown';
    found.set(`${name} ${licence}`, {
      name,
      licence,
      shipped: shipped || found.get(`${name} ${licence}`)?.shipped === true,
    });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function problemsOf(packages) {
  return packages
    .filter(
      ({ licence, shipped }) => !isAgreed(licence, shipped ? AGREED_DATA : [...AGREED_DATA, ...AGREED_TOOLS]),
    )
    .map(({ name, licence, shipped }) => `${name}${shipped ? '' : ' (development)'}: ${licence}`);
}

/** `A OR B` needs one allowed licence, `A AND B` needs both. */
function isAgreed(expression, more) {
  const all = [...AGREED, ...more];
  const terms = (text, word) => text.replaceAll(/[()]/g, '').split(` ${word} `);
  return terms(expression, 'OR').some((one) => terms(one, 'AND').every((licence) => all.includes(licence)));
}

export function pageOf(packages) {
  const shipped = packages.filter((one) => one.shipped);
  const licences = [...new Set(shipped.map(({ licence }) => licence))].sort();
  const sections = licences.map((licence) => {
    const names = shipped.filter((one) => one.licence === licence).map(({ name }) => `\`${name}\``);
    return `## ${licence}\n\n${names.join(', ')}\n`;
  });
  const head = `# Licences of what is shipped

Written by \`npm run licences\`: every package of a production image and of the pages. Their texts are in the packages themselves, and
\`npm run sbom\` lists versions and origins. Copyleft and unknown licences are refused by a test.
`;
  return [head, ...sections].join('\n');
}

export function readLock() {
  return JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = packagesOf(readLock());
  const problems = problemsOf(packages);
  const page = pageOf(packages);
  if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page)
    problems.push('docs/licences.md is not up to date: npm run licences');
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
