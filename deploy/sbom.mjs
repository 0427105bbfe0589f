// `npm run sbom`: prints what is shipped as a CycloneDX document. npm's own `--omit dev` leaves out
// what development packages need as well (Temporal's, for one), so all are listed and those that
// are development alone are taken out here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUNDLED } from './licences.mjs';

const DEVELOPMENT = 'cdx:npm:package:development';

/** The document without what is not shipped. */
function shippedOnly(bom) {
  const components = bom.components.filter(
    ({ name, properties = [] }) =>
      BUNDLED.includes(name) || !properties.some((one) => one.name === DEVELOPMENT),
  );
  const named = components.map(inItsScope);
  const kept = new Set([bom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm calls the product by the name of its folder.
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const component = { ...bom.metadata.component, name, purl: `pkg:npm/${name}@${version}` };
  return { ...bom, metadata: { ...bom.metadata, component }, components: named, dependencies };
}

/** npm calls a package of the workspace by the name of its folder too. */
function inItsScope(component) {
  const [, scope] = /^pkg:npm\/%40([^/]+)\//.exec(component.purl) ?? [];
  return scope && !`${component.group}${component.name}`.includes('@')
    ? { ...component, group: `@${scope}` }
    : component;
}

/** All packages of the lock file, as npm lists them. */
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
