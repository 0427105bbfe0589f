import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync('docs/statements.md', 'utf8');
const list = /```text\n(.*?)```/s.exec(page)?.[1]?.trimEnd().split('\n') ?? [];
const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => /^\d\.\d$/.test(cells[2] ?? ''));
const words = (text = '') => [...text.matchAll(/`([$\w]+)`/g)].map(([, word]) => word ?? '');

/**
 * The commands, their options and the operators in the tables of the page, each with the version in
 * the `since` column of its row.
 */
const documented = rows.flatMap(([, name = '', since = '', given]) => {
  const [command] = words(name);
  if (command === undefined) return words(given).map((word) => ({ word, since }));
  return [{ word: command, since }, ...words(given).map((word) => ({ word: `${command} ${word}`, since }))];
});

/**
 * Returns the words of one line of the list: the command, the command with each option, and the
 * operators.
 */
function wordsOf(line: string): string[] {
  const [, command = '', rest = ''] = /^(\w+)(?: \w+)?(?::? (.*))?$/.exec(line) ?? [];
  const bare = rest.replace(/projection of [^,]*/, 'projection');
  const options = bare
    .replace(/\{.*?\}+|\([^)]*\)/g, '')
    .replace('where', 'partialFilterExpression')
    .split(/[ ,|]+/)
    .filter((word) => /^[a-zA-Z]+$/.test(word) && !/^(true|false)$/.test(word));
  const operators = line.match(/\$\w+/g) ?? [];
  if (command === 'filter') return operators;
  return [command, ...options.map((option) => `${command} ${option}`), ...operators];
}

describe('docs/statements.md', () => {
  test('the tables of docs/statements.md have exactly the words of its list', () => {
    const sent = new Set(list.flatMap(wordsOf));
    expect([...sent].sort()).toEqual([...new Set(documented.map(({ word }) => word))].sort());
  });

  test('docs/statements.md has no word that is newer than MongoDB 7', () => {
    expect(documented.filter(({ since }) => Number(since) > 7)).toEqual([]);
  });

  test('the list in docs/statements.md is sorted and has each line once', () => {
    expect(list).toEqual([...new Set(list)].sort());
    expect(list.length).toBeGreaterThan(200);
  });

  test.each<[string, RegExp]>([
    ['a projection both of fields and without fields', /projection of [^,]*fields and [^,]*but/],
    ['an index both sparse and partial', /^createIndexes .*\bsparse\b.* where /],
    [
      'a partial index with an unsupported operator',
      /^createIndexes .* where .*(\$(?!eq|exists|gt|lt|type|and)|"\$exists":false)/,
    ],
    ['an update of many by a whole document', /replacement.*multi true/],
    ['a slice of a push without each', /\$push\((?!.*\$each).*\$slice/],
    ['a sort of an update', /^update .*\bsort\b/],
  ])('docs/statements.md does not contain %s', (_, refused) => {
    expect(list.filter((line) => refused.test(line))).toEqual([]);
  });
});
