import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

interface Package {
  name: string;
  licence: string;
  shipped: boolean;
}

interface Lock {
  packages: Record<string, { license?: string; dev?: boolean; hasInstallScript?: boolean }>;
}

/** Exports of deploy/licences.mjs that the tests use. */
interface Licences {
  packagesOf: (lock: Lock) => Package[];
  problemsOf: (packages: Package[]) => string[];
  pageOf: (packages: Package[]) => string;
  readLock: () => Lock;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The product and its workspace packages. */
const OWN = [
  '.',
  ...readdirSync('packages')
    .filter((name) => !name.includes('.'))
    .map((name) => join('packages', name)),
];

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

const page = readFileSync('docs/dependencies.md', 'utf8');

describe('packages', () => {
  let licences: Licences;
  let lock: Lock;

  beforeAll(async () => {
    licences = (await import(new URL('../../deploy/licences.mjs', import.meta.url).href)) as Licences;
    lock = licences.readLock();
  });

  test('the installed packages are exactly the packages justified in docs/dependencies.md', () => {
    const manifests = OWN.map(manifestOf);
    const others = (names: string[]) => new Set(names.filter((name) => !name.startsWith('@parlance/')));
    const used = others(manifests.flatMap(({ dependencies }) => Object.keys(dependencies ?? {})));
    const tools = others(manifests.flatMap(({ devDependencies }) => Object.keys(devDependencies ?? {})));
    const [shipped = '', development = '', heldBack = ''] = page.split(
      /^## (?:For development alone|Held back)$/m,
    );
    const named = (text: string) => [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
    expect(named(shipped)).toEqual([...used].sort());
    expect(named(development)).toEqual([...tools].filter((name) => !used.has(name)).sort());
    for (const name of named(heldBack)) {
      const installed = [...used, ...tools].some(
        (one) => one === name || one.startsWith(name.replace(/\*$/, '')),
      );
      expect(installed, name).toBe(true);
    }
  });

  test('the packages with an install script are exactly the packages named in docs/dependencies.md', () => {
    const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = new Set(withScript.map(([path]) => path.split('node_modules/').at(-1)));
    const [, said = ''] = /Five have one, and none is needed:([^]*?)\n\n/.exec(page) ?? [];
    const named = [...said.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect([...named].sort()).toEqual([...names].sort());
    expect(names.size).toBe(5);
  });

  test.each(OWN)('the packages that %s imports are exactly its declared dependencies', (folder) => {
    const { dependencies = {} } = manifestOf(folder);
    const imported = sourcesOf(folder).flatMap((text) =>
      [...text.matchAll(/\b(?:from|import|resolve)[ (]'((?:@[\w-]+\/)?\w[\w.-]*)['/]/g)].map(
        ([, name]) => name,
      ),
    );
    // Only `npm run dev` needs tsx.
    const packages = new Set(imported.filter((name) => name !== 'tsx'));
    expect([...packages].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test('packages have permitted licences, listed in docs/licences.md (npm run licences)', () => {
    const packages = licences.packagesOf(lock);
    expect(licences.problemsOf(packages)).toEqual([]);
    expect(packages.filter(({ shipped }) => shipped).length).toBeGreaterThan(200);
    expect(readFileSync('docs/licences.md', 'utf8')).toBe(licences.pageOf(packages));
  });

  test.each([
    ['GPL-3.0', false, true],
    ['unknown', false, true],
    ['MPL-2.0', false, true],
    ['MPL-2.0', true, false],
    ['(GPL-3.0 OR MIT)', false, false],
    ['Apache-2.0 AND GPL-2.0', true, true],
  ])('a package with licence %s (development only: %s) is refused: %s', (license, dev, refused) => {
    const packages = licences.packagesOf({ packages: { '': {}, 'node_modules/some': { license, dev } } });
    expect(licences.problemsOf(packages).length).toBe(refused ? 1 : 0);
  });

  test('the bill of materials lists exactly the shipped packages', () => {
    const bom = JSON.parse(
      execFileSync(process.execPath, ['deploy/sbom.mjs'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    );
    expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'parlance']);
    const listed = bom.components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    );
    const shipped = licences.packagesOf(lock).filter((one) => one.shipped);
    expect([...new Set(listed)].sort()).toEqual([...new Set(shipped.map(({ name }) => name))].sort());
  });
});

/** Returns the texts of the source files compiled into `dist`, without the bundled pages. */
function sourcesOf(own: string): string[] {
  const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
  const folders = own === '.' ? include : [join(own, 'src')];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => path.endsWith('.ts') && !/^web.(page|components|console|widget)\b/.test(path))
      .map((path) => readFileSync(path, 'utf8')),
  );
}
