// The text `third-party.txt` of the build: the licences of what is bundled into the pages, whose
// packages are not shipped.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** The packages in the program of the API reference, which the build copies unchanged. */
export const REFERENCE = JSON.parse(
  readFileSync(new URL('reference-contents.json', import.meta.url), 'utf8'),
);

/** Returns the names of the packages that esbuild has bundled. */
export function bundledPackages(metafiles) {
  const paths = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const names = paths.flatMap((path) => {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}

/** Throws for a package without a licence text. */
export function thirdPartyText(root, names) {
  const bundled = names.map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => LICENCE.test(file));
    if (files.length === 0) throw new Error(`${name} has no licence text`);
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return { name, version, licence: license, text };
  });
  const inside = REFERENCE.packages.map((one) => ({ ...one, text: REFERENCE.texts[one.text] }));
  const head = [
    'The pages of Parlance contain the packages below. Parlance itself is under the MIT licence.',
    'The second part lists what the API reference (Scalar) was built from.',
  ].join('\n');
  return [head, ...listed(bundled), `The API reference, Scalar ${REFERENCE.version}`, ...listed(inside)].join(
    `\n\n${'='.repeat(80)}\n\n`,
  );
}

/** Names packages with the same text together. */
function listed(packages) {
  const groups = new Map();
  for (const one of packages) groups.set(one.text, [...(groups.get(one.text) ?? []), one]);
  return [...groups].map(([text, group]) => {
    const names = group.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    return `${names.join('\n')}\n\n${text}`;
  });
}

export function hashedName(text) {
  return `third-party-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.txt`;
}
