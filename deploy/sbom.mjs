// `npm run sbom`: prints the shipped packages as a CycloneDX document. `npm sbom --omit dev` would
// also omit shipped packages that development packages need, such as Temporal's. So this script
// filters the list of all packages.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLED, referencePackages } from './licences.mjs';

const DEVELOPMENT = 'cdx:npm:package:development';

function shippedOnly(bom) {
  const components = bom.components.filter(
    ({ name, properties = [] }) =>
      BUNDLED.includes(name) || !properties.some((one) => one.name === DEVELOPMENT),
  );
  const named = [...components.map(inItsScope), ...referencePackages().map(asComponent)];
  const kept = new Set([bom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm names the product after its folder.
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const component = { ...bom.metadata.component, name, purl: `pkg:npm/${name}@${version}` };
  return { ...bom, metadata: { ...bom.metadata, component }, components: named, dependencies };
}

/** npm does not list the packages in the program of the API reference: they are not installed. */
function asComponent({ name, version, licence }) {
  const [scope, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const isExpression = / (OR|AND) /.test(licence);
  return {
    'bom-ref': `reference/${name}@${version}`,
    type: 'library',
    ...(scope && { group: scope }),
    name: plain,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [isExpression ? { expression: licence } : { license: { id: licence } }],
    properties: [{ name: 'parlance:part', value: 'the API reference (Scalar)' }],
  };
}

function inItsScope(component) {
  const [, scope] = /^pkg:npm\/%40([^/]+)\//.exec(component.purl) ?? [];
  return scope && !`${component.group}${component.name}`.includes('@')
    ? { ...component, group: `@${scope}` }
    : component;
}

function readBom() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const options = {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  };
  return JSON.parse(execFileSync('npm', args, options).toString());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(shippedOnly(readBom()), null, 2)}\n`);
}
