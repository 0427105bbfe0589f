import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const IMPORTED = /\b(?:from |import |import\()'(\.[^']+)'/g;

const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], {
  encoding: 'utf8',
});
const files = new Set(listed.split('\n').filter((path) => path && existsSync(path)));

function importsOf(path: string): string[] {
  const named = [...readFileSync(path, 'utf8').matchAll(IMPORTED)].map(([, name = '']) => name);
  return named.map((name) => posix.join(posix.dirname(path), name)).filter((name) => files.has(name));
}

/** Returns the first import cycle found from a file, as a list of files. */
function circleFrom(
  path: string,
  imports: Map<string, string[]>,
  done: Set<string>,
  way: string[] = [],
): string[] | null {
  if (done.has(path)) return null;
  const before = way.indexOf(path);
  if (before >= 0) return [...way.slice(before), path];
  for (const next of imports.get(path) ?? []) {
    const circle = circleFrom(next, imports, done, [...way, path]);
    if (circle) return circle;
  }
  done.add(path);
  return null;
}

test('no file imports itself through other files, not even for types', () => {
  const imports = new Map([...files].map((path) => [path, importsOf(path)]));
  expect([...imports.values()].flat().length).toBeGreaterThan(1_000);
  const done = new Set<string>();
  expect(
    [...files].map((path) => circleFrom(path, imports, done)).filter((circle) => circle !== null),
  ).toEqual([]);
});
