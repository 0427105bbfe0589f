import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

/** The part of lint's configuration that limits a folder's imports. */
interface Entry {
  files?: string[];
  rules?: Record<string, [string, { patterns: { regex: string; allowTypeImports?: boolean }[] }] | 'off'>;
}

const RULE = 'parlance/imports';
const config = (await import(new URL('../../oxlint.config.mjs', import.meta.url).href)) as {
  ROOMS: string[];
  default: { overrides: Entry[] };
};

/**
 * The rows of "Rooms" in docs/architecture.md: the rooms that each room may import, whole or as
 * types.
 */
const map = new Map(
  [
    ...readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| `([\w/-]+)\/` +\|[^|]*\| ([^|]*?) *\|$/gm),
  ].map(([, room = '', may = '']) => {
    const [whole = '', types = ''] = may.split('types of ');
    const named = [whole, types].map((text) =>
      [...text.matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name.replace(/\/contract$/, '')),
    );
    const [rooms = [], ofTypes = []] = named;
    return [room, { rooms: may.startsWith('all but') ? allBut(rooms) : rooms, ofTypes }];
  }),
);

function allBut(names: string[]): string[] {
  return config.ROOMS.filter((name) => !names.includes(name));
}

/** Returns the patterns by which lint refuses an import to the files of a folder. */
function refusals(folder: string, imported: string) {
  const entry = config.default.overrides.find(
    ({ files, rules }) => files?.includes(`${folder}/**/*.ts`) && rules?.[RULE],
  );
  const rule = entry?.rules?.[RULE];
  const patterns = Array.isArray(rule) ? rule[1].patterns : [];
  return patterns.filter(({ regex }) => new RegExp(regex).test(imported));
}

function refusedBy(room: string, target: string): { whole: boolean; types: boolean } {
  const path = posix.relative(room, target);
  const refusing = refusals(room, `${path.startsWith('.') ? '' : './'}${path}/some.ts`);
  return { whole: refusing.length > 0, types: refusing.some(({ allowTypeImports }) => !allowTypeImports) };
}

test.each(['deploy/local', 'test'])('%s/ imports workspace packages by name only', (folder) => {
  expect(refusals(folder, '../packages/store-engine/src/server.ts').length).toBe(1);
  expect(refusals(folder, '@parlance/store-engine')).toEqual([]);
});

test.each(['process-lock', 'store-engine', 'client', 'cli'])(
  'packages/%s/ imports nothing of the product',
  (name) => {
    for (const folder of [...config.ROOMS, 'test']) {
      expect(refusals(`packages/${name}/src`, `../../../${folder}/some.ts`).length, folder).toBe(1);
      expect(refusals(`packages/${name}/{test,bench}`, `../../../${folder}/some.ts`).length, folder).toBe(1);
    }
  },
);

test('the build compiles every room of oxlint.config.mjs and no other folder', () => {
  const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
  const compiled = (room: string) =>
    include.some((folder) => room === folder || room.startsWith(`${folder}/`));
  expect(config.ROOMS.filter((room) => !compiled(room))).toEqual([]);
  expect(
    include.filter((folder) => !config.ROOMS.some((room) => `${room}/`.startsWith(`${folder}/`))),
  ).toEqual([]);
});

const checked = config.ROOMS.filter((room) => !['deploy/local', 'examples'].includes(room));

test.each(checked)('%s/ may import exactly what docs/architecture.md allows', (room) => {
  const row = map.get(room);
  expect(row, `a row for ${room}/`).toBeDefined();
  for (const target of config.ROOMS) {
    // A room inside another room imports the outer room by `..`, which lint limits to
    // workflows/contract.ts.
    if (target === room || room.startsWith(`${target}/`)) continue;
    const whole = !row?.rooms.includes(target);
    const types = whole && !row?.ofTypes.includes(target);
    expect(refusedBy(room, target), `${room}/ → ${target}/`).toEqual({ whole, types });
  }
  expect(refusals(room, '../packages/store-engine/src/server.ts').length).toBe(1);
  expect(refusals(room, '@parlance/store-engine').length, 'the packages of the workspace').toBe(1);
});
