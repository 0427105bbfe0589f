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
  'MIT-0',
  'Unlicense',
];

/** Further licences: for data that is shipped unchanged, and for tools that are not shipped. */
const AGREED_DATA = ['CC-BY-4.0'];
const AGREED_TOOLS = ['MPL-2.0', 'Python-2.0'];

/** Licences that the lock file lacks, by package, taken from the package's own files. */
const SAID_ELSEWHERE = { unionfs: 'Unlicense' };

const REFERENCE = new URL('../web/reference-contents.json', import.meta.url);

/** The packages in the program of the API reference: name, version, licence. */
export function referencePackages() {
  return JSON.parse(readFileSync(REFERENCE, 'utf8')).packages;
}

/** Development packages that are bundled into the pages and therefore shipped. */
export const BUNDLED = ['@scalar/fastify-api-reference', 'dompurify', 'lucide', 'preact'];

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
  return sorted(found.values());
}

const sorted = (packages) => [...packages].sort((a, b) => (a.name < b.name ? -1 : 1));

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

const HEAD = `# Licences of what is shipped

Written by \`npm run licences\`: every package of a production image and of the pages. Their texts are in the packages
themselves. The texts of what is bundled into the pages are in \`/viewer/third-party-….txt\`, linked from the start page.
\`npm run sbom\` lists versions and origins. Copyleft and unknown licences are refused by a test.
`;

export function pageOf(packages, inReference = referencePackages()) {
  const reference = [
    '## In the API reference',
    'The program of the page `/docs` (Scalar) was built from these packages, or from parts of them.',
    ...byLicence(inReference).map(({ licence, names }) => `**${licence}**: ${names}`),
  ];
  const shipped = byLicence(packages.filter((one) => one.shipped));
  return [
    HEAD,
    ...shipped.map(({ licence, names }) => `## ${licence}\n\n${names}\n`),
    `${reference.join('\n\n')}\n`,
  ].join('\n');
}

function byLicence(packages) {
  return [...new Set(packages.map(({ licence }) => licence))].sort().map((licence) => {
    const names = packages.filter((one) => one.licence === licence).map(({ name }) => `\`${name}\``);
    return { licence, names: [...new Set(names)].join(', ') };
  });
}

export function readLock() {
  return JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = packagesOf(readLock());
  const reference = referencePackages().map((one) => ({ ...one, shipped: true }));
  const problems = problemsOf([...packages, ...reference]);
  const page = pageOf(packages);
  if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page)
    problems.push('docs/licences.md is not up to date: npm run licences');
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
