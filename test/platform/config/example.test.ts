import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../../platform/config/variables.ts';
import type { Variable } from '../../../platform/config/variables.ts';

test('.env.example lists every variable in order, with its meaning and default, and no other', () => {
  const rows = Object.entries<Variable>(VARIABLES).map(
    ([name, variable]) => `# ${variable.meaning}\n# ${name}=${variable.default ?? ''}`,
  );
  const [, ...shown] = readFileSync('.env.example', 'utf8').trim().split('\n\n');
  expect(shown).toEqual(rows);
});

test('every default of a variable is a value that its kind accepts', () => {
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    if (variable.default !== undefined) expect(variable.kind.parse(variable.default), name).toBeDefined();
  }
});
