import { existsSync, readFileSync } from 'node:fs';

/** The product's version, as package.json says it. */
export function productVersion(): string {
  // Compiled code lies one folder deeper than its source.
  const places = ['../../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error('package.json is missing');
  const { version } = JSON.parse(readFileSync(found, 'utf8')) as { version: string };
  return version;
}
