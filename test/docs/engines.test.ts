import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BOTH_OTHERS_ARE_WRONG } from '../engines/known-differences.ts';

const page = readFileSync('test/engines/README.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (statement|-)/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.trim()));

test('every difference between the engines cites the page or source file of MongoDB that decides it', () => {
  expect(rows.length).toBeGreaterThan(15);
  const decides = /https:\/\/www\.mongodb\.com\/docs\/v7\.0\/[\w./#-]+\)|`\w+\.(cpp|h|js)`/;
  expect(rows.filter((row) => !decides.test(row.at(-1) ?? ''))).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(Object.keys(BOTH_OTHERS_ARE_WRONG).length);
});
