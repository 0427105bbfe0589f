import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

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
  referencePackages: () => { name: string; version: string; licence: string }[];
  BUNDLED: string[];
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
    const section = (name: string) => page.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? '';
    const [shipped, development, heldBack] = ['Shipped', 'For development alone', 'Held back'].map(section);
    const named = (text = '') => [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
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

  test('packages whose private files are read have an exact version in every package.json', () => {
    const [, exact = ''] = /^## Exact versions$([^]*?)^## /m.exec(page) ?? [];
    const named = [...exact.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name.replace(/\*$/, ''));
    const ranges = OWN.map(manifestOf).flatMap(({ dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies }),
    );
    for (const name of named) {
      const of = ranges.filter(([one]) => (name.endsWith('/') ? one.startsWith(name) : one === name));
      expect(of.length, name).toBeGreaterThan(0);
      for (const [one, range] of of)
        expect([one, range]).toEqual([one, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    }
    const read = OWN.flatMap(sourcesOf).flatMap((text) =>
      [...text.matchAll(/'((?:@[\w-]+\/)?[a-z][\w.-]*)\/(?:lib|dist|src|build|cjs)\/[^']*'/g)].map(
        ([all]) => all,
      ),
    );
    // Ajv documents this path as its entry for JSON Schema 2020-12. `dist/` is the product's own.
    const own = /^'(ajv\/dist\/2020\.js|dist\/|web\/)/;
    const privates = read.filter((path) => !own.test(path));
    expect(privates.length).toBeGreaterThan(1);
    for (const path of privates)
      expect(
        named.some((name) => path.startsWith(`'${name}`)),
        path,
      ).toBe(true);
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

  test('Dependabot leaves out exactly the packages that docs/dependencies.md lists as held back', () => {
    const [, held = ''] = readFileSync('docs/dependencies.md', 'utf8').split(/^## Held back$/m);
    // No newer version of prom-client exists.
    const listed = [...held.matchAll(/^\| `([^`]+)` +\| [\d.]+ +\| \d/gm)].map(([, name = '']) => name);
    const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8')) as {
      updates: { 'package-ecosystem': string; ignore?: { 'dependency-name': string }[] }[];
    };
    const ignored = updates.flatMap(({ ignore = [] }) => ignore.map((one) => one['dependency-name']));
    const isIgnored = (name: string) => ignored.some((one) => name.startsWith(one.replace('*', '')));
    expect(listed.filter((name) => !isIgnored(name))).toEqual([]);
    expect(ignored.filter((one) => !listed.some((name) => name.startsWith(one.replace('*', ''))))).toEqual(
      [],
    );
    expect(listed.length).toBeGreaterThan(5);
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
    expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'parlance-server']);
    const listed = bom.components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    );
    const shipped = licences.packagesOf(lock).filter((one) => one.shipped);
    const all = [...shipped, ...licences.referencePackages()].map(({ name }) => name);
    expect([...new Set(listed)].sort()).toEqual([...new Set(all)].sort());
  });

  test('the pages are served with the licence text of each package that is bundled into them', () => {
    const [file = ''] = readdirSync('dist/web/assets').filter((name) => name.startsWith('third-party-'));
    const [, bundled = '', reference = ''] =
      /^=+\n([^]*)^The API reference, Scalar .*\n([^]*)/m.exec(
        readFileSync(join('dist/web/assets', file), 'utf8'),
      ) ?? [];
    const heads = (text: string) =>
      [...text.matchAll(/^(\S+ \d+\.\d+\.\d\S*) \(.+\)$/gm)].map(([, head = '']) => head).sort();
    const inPages = licences.BUNDLED.filter((name) => !name.startsWith('@scalar/'));
    expect(heads(bundled).map((head) => head.split(' ')[0])).toEqual(inPages);
    expect(bundled).toMatch(/Copyright \(c\) 2015-present Jason Miller/);
    const inside = licences.referencePackages();
    expect(heads(reference)).toEqual(inside.map(({ name, version }) => `${name} ${version}`).sort());
    expect(reference).toMatch(/^focus-trap [\d.]+ \(MIT\)$/m);
    expect(licences.problemsOf(inside.map((one) => ({ ...one, shipped: true })))).toEqual([]);
  });

  test('the listed contents of the API reference match its version (node web/reference-contents.mjs)', () => {
    const { version } = JSON.parse(readFileSync('web/reference-contents.json', 'utf8')) as {
      version: string;
    };
    expect(version).toBe(manifestOf('.').devDependencies?.['@scalar/fastify-api-reference']);
  });

  test('the image keeps exactly the packages that the product can reach without the embedded servers and the bundler', async () => {
    const { reachablePackages } = (await import(
      new URL('../../deploy/prune-packages.mjs', import.meta.url).href
    )) as { reachablePackages: (packages: Record<string, object>) => Set<string> };
    const packages = {
      '': { dependencies: { a: '1', '@parlance/store-engine': '*', '@temporalio/worker': '1' } },
      'packages/store-engine': { dependencies: { lmdb: '3' } },
      'node_modules/@parlance/store-engine': { resolved: 'packages/store-engine', link: true },
      'node_modules/lmdb': {},
      'node_modules/a': { dependencies: { b: '2' }, optionalDependencies: { absent: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' }, peerDependencies: { a: '1' } },
      'node_modules/b': {},
      'node_modules/c': {},
      'node_modules/@temporalio/worker': { dependencies: { '@swc/core': '1', c: '1' } },
      'node_modules/@swc/core': {},
    };
    expect([...reachablePackages(packages)].sort()).toEqual(
      ['@temporalio/worker', 'a', 'a/node_modules/b', 'c'].map((name) => `node_modules/${name}`),
    );
    const kept = reachablePackages(lock.packages);
    expect(kept).toContain('node_modules/koa');
    for (const name of ['lmdb', 'msgpackr', '@swc/core', 'terser', 'typescript'])
      expect(kept).not.toContain(`node_modules/${name}`);
  });

  test.each(OWN)('the package %s contains the licence', (folder) => {
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
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

test('a packed package has the sources of its maps, no notes of the build, and no link that leaves it', () => {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--workspaces', '--dry-run', '--json', '--ignore-scripts'], {
      encoding: 'utf8',
    }),
  ) as { name: string; files: { path: string }[] }[];
  expect(packed).toHaveLength(OWN.length - 1);
  for (const { name, files } of packed) {
    const folder = join('packages', name.replace('@parlance/', ''));
    const paths = new Set(files.map(({ path }) => path));
    expect(
      [...paths].filter((path) => /\.stamp$|\.tsbuildinfo$/.test(path)),
      name,
    ).toEqual([]);
    const sources = [...paths]
      .filter((path) => path.endsWith('.map'))
      .flatMap((path) => {
        const map = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { sources: string[] };
        return map.sources.map((source) => join(path, '..', source));
      });
    expect(
      sources.filter((source) => !paths.has(source)),
      name,
    ).toEqual([]);
    expect(readFileSync(join(folder, 'README.md'), 'utf8'), name).not.toContain('](../');
  }
});
