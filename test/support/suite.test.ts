import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';

/** Folders with a separate configuration and command (CONTRIBUTING.md). */
const OTHER_COMMANDS = [
  'bucket',
  'cluster',
  'compose',
  'engines',
  'generators',
  'kubernetes',
  'mail',
  'pictures',
  'time-skipping',
  'twilio',
];

test('every project of vitest.config.ts runs in npm test, npm run test:resilience or npm run test:load', () => {
  const suite = readFileSync('test/suite.mjs', 'utf8');
  const listed = [...suite.matchAll(/^const [A-Z]+ = (\[.*\]);$/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
  const projects = (config.test?.projects ?? []).map((project) =>
    typeof project === 'object' && 'test' in project ? project.test.name : project,
  );
  expect(projects.length).toBeGreaterThan(5);
  expect([...new Set(listed)].sort()).toEqual(projects.sort());
});

test('every test file belongs to a project of vitest.config.ts or to a separate command', () => {
  // The config leaves out some files of `--long` otherwise.
  const env = { ...process.env, PARLANCE_LONG: '1' };
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8', env });
  const inProjects = JSON.parse(
    run(process.execPath, 'node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'),
  ) as { file: string }[];
  const known = new Set(inProjects.map(({ file }) => relative(process.cwd(), file)));
  const others = new RegExp(`^test/(${OTHER_COMMANDS.join('|')})/`);
  const files = run('git', 'ls-files', '*.test.ts').trim().split('\n');
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => !known.has(file) && !others.test(file))).toEqual([]);
});
