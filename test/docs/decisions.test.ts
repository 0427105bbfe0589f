import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = 'docs/decisions';
const ROW = /^\| \[(.+)\]\(([\w-]+\.md)\) +\| (\w+) +\| (\d{4}-\d\d-\d\d) \|$/gm;

const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const rows = [...index.matchAll(ROW)].map(([, title, file = '', status, date]) => ({
  title,
  file,
  status,
  date,
}));
const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');

test('the index of decisions has one row for each decision', () => {
  expect(rows.map(({ file }) => file).sort()).toEqual(files.sort());
});

test.each(rows)(
  'the decision $file has the title, status and date of its row',
  ({ title, file, status, date }) => {
    const [heading, , stated] = readFileSync(join(FOLDER, file), 'utf8').split('\n');
    expect({ heading, stated }).toEqual({ heading: `# ${title}`, stated: `Status: ${status}, ${date}.` });
  },
);
