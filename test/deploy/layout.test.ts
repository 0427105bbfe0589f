import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const SMALL_LINES = 60;
/** Some small files are separate for a reason: entry points, patches, texts for another room. */
const MOST_SMALL_FILES = 40;

const IMPORTED = /\b(?:from |import |import\()'(\.[^']+)'/g;

const product = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && !/(^|\/)(test|bench)\/|client\/src\/api\.ts$|\.config\.ts$/.test(path));
const texts = new Map(product.map((path) => [path, readFileSync(path, 'utf8')]));
const lines = (path: string) => (texts.get(path) ?? '').split('\n').length - 1;

function countImporters(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [path, text] of texts) {
    const imported = [...text.matchAll(IMPORTED)].map(([, name = '']) =>
      posix.join(posix.dirname(path), name),
    );
    for (const target of new Set(imported)) counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  return counts;
}

test(`at most ${MOST_SMALL_FILES} files of less than ${SMALL_LINES} lines have a single importer`, () => {
  const importers = countImporters();
  const small = product.filter((path) => lines(path) < SMALL_LINES && importers.get(path) === 1);
  expect(small.length, small.join(' ')).toBeLessThanOrEqual(MOST_SMALL_FILES);
});
