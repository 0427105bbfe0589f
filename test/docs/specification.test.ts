import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = 'docs/specification';
const CITATION = /\bspec ((?:\d+(?:\.\d+)?)(?:, \d+\.\d+)*)/gi;

const headings = readdirSync(FOLDER)
  .filter((name) => /^\d/.test(name))
  .flatMap((name) => [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/^##? (\d+(?:\.\d+)?)/gm)])
  .map(([, number = '']) => number);
const sections = headings.filter((number) => number.includes('.'));

const rows = [
  ...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(
    /^\| (\d+\.\d+) +\|[^|]*\|([^|]*)\|([^|]*)\|$/gm,
  ),
].map(([, section = '', code = '', tests = '']) => ({
  section,
  code: pathsIn(code),
  tests: pathsIn(tests),
}));

function pathsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

function trackedText(): string[] {
  const listed = execFileSync('git', ['ls-files'], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((path) => /\.(ts|tsx|mjs|md)$/.test(path) && !path.startsWith(FOLDER) && existsSync(path));
}

function citationsIn(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(CITATION)].flatMap(([, numbers = '']) => numbers.split(', '));
}

test('every citation of the specification names a chapter or section that exists', () => {
  const wrong = trackedText().flatMap((path) =>
    citationsIn(path)
      .filter((number) => !headings.includes(number))
      .map((number) => `${path}: spec ${number}`),
  );
  expect(wrong).toEqual([]);
});

test('code and tests cite the specification, and no document outside the repository', () => {
  const foreign = trackedText().filter(
    (path) => path !== 'CHANGELOG.md' && /\b(contract|design) \d/i.test(readFileSync(path, 'utf8')),
  );
  expect(foreign).toEqual([]);
});

test('the table of rules has one row for each section', () => {
  expect(rows.map(({ section }) => section)).toEqual(sections);
});

test.each(rows)(
  'the table of rules names existing code and an existing test for section $section',
  ({ code, tests }) => {
    expect(code.length).toBeGreaterThan(0);
    expect(tests.length).toBeGreaterThan(0);
    expect([...code, ...tests].filter((path) => !existsSync(path))).toEqual([]);
    expect(tests.filter((path) => !/^(packages\/[\w-]+\/)?test\/.*\.test\.ts$/.test(path))).toEqual([]);
  },
);
