import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';

test('every project of vitest.config.ts runs in npm test, npm run test:resilience or npm run test:load', () => {
  const suite = readFileSync('test/suite.mjs', 'utf8');
  const listed = [...suite.matchAll(/^const [A-Z]+ = (\[.*\]);$/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  );
  const projects = (config.test?.projects ?? []).map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : project,
  );
  expect(projects.length).toBeGreaterThan(8);
  expect([...new Set(listed)].sort()).toEqual(projects.sort());
});
