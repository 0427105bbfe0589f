import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A part of ESLint's configuration, as far as it says what a folder may import. */
interface Entry {
  files?: string[];
  rules?: Record<string, [string, { patterns: { regex: string; allowTypeImports?: boolean }[] }] | 'off'>;
}

const RULE = '@typescript-eslint/no-restricted-imports';
const config = (await import(new URL('../../eslint.config.mjs', import.meta.url).href)) as {
  default: Entry[];
};
const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };

/** What the rows of "Rooms" say that each folder may import: whole, or types alone. */
const map = new Map(
  [
    ...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `([\w-]+)\/` +\|[^|]*\| ([^|]*?) *\|$/gm),
  ].map(([, folder = '', may = '']) => {
    const [whole = '', types = ''] = may.split('types of ');
    const named = [whole, types].map((text) => [...text.matchAll(/`([\w-]+)/g)].map(([, name = '']) => name));
    const [folders = [], ofTypes = []] = named;
    return [folder, { folders: may.startsWith('all but') ? allBut(folders) : folders, ofTypes }];
  }),
);

function allBut(names: string[]): string[] {
  return include.filter((name) => !names.includes(name));
}

/** The patterns by which lint refuses an import to the files of a folder. */
function refusals(folder: string, imported: string) {
  const entry = config.default.find(
    ({ files, rules }) => files?.includes(`${folder}/**/*.ts`) && rules?.[RULE],
  );
  const rule = entry?.rules?.[RULE];
  const patterns = Array.isArray(rule) ? rule[1].patterns : [];
  return patterns.filter(({ regex }) => new RegExp(regex).test(imported));
}

function refusedBy(folder: string, target: string): { whole: boolean; types: boolean } {
  const refusing = refusals(folder, `../${target}/some.ts`);
  return { whole: refusing.length > 0, types: refusing.some(({ allowTypeImports }) => !allowTypeImports) };
}

test.each(['embedded', 'test', 'bench'])('%s/ imports packages of the workspace by name alone', (folder) => {
  expect(refusals(folder, '../packages/store-engine/src/server.ts').length).toBe(1);
  expect(refusals(folder, '@parlance/store-engine')).toEqual([]);
});

test.each(['process-lock', 'store-engine', 'client', 'cli'])(
  'packages/%s/ imports nothing of the product',
  (name) => {
    for (const folder of [...include, 'test', 'bench']) {
      expect(refusals(`packages/${name}/src`, `../../../${folder}/some.ts`).length, folder).toBe(1);
      expect(refusals(`packages/${name}/{test,bench}`, `../../../${folder}/some.ts`).length, folder).toBe(1);
    }
  },
);

const checked = include.filter((folder) => !['embedded', 'examples'].includes(folder));

test.each(checked)('%s/ may import what docs/architecture.md says, and lint refuses the rest', (folder) => {
  const row = map.get(folder);
  expect(row, `a row for ${folder}/`).toBeDefined();
  for (const target of include) {
    if (target === folder) continue;
    const whole = !row?.folders.includes(target);
    const types = whole && !row?.ofTypes.includes(target);
    expect(refusedBy(folder, target), `${folder}/ → ${target}/`).toEqual({ whole, types });
  }
  expect(refusals(folder, '../packages/store-engine/src/server.ts').length).toBe(1);
  expect(refusals(folder, '@parlance/store-engine').length, 'the packages of the workspace').toBe(1);
});
