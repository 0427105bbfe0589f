import { expect, test } from 'vitest';
import { VARIABLES } from '../../../platform/config/variables.ts';
import type { Variable } from '../../../platform/config/variables.ts';

const HEAD =
  '# Every variable the product reads, with its default. Copy to .env and uncomment what you change; the environment wins over .env.';

// `npx vitest run --update` of this test file writes .env.example.
test('.env.example lists every variable in order, with its meaning and default, and no other variable', async () => {
  const rows = Object.entries<Variable>(VARIABLES).map(
    ([name, variable]) => `# ${variable.meaning}\n# ${name}=${variable.default ?? ''}`,
  );
  await expect(`${[HEAD, ...rows].join('\n\n')}\n`).toMatchFileSnapshot('../../../.env.example');
});

test('the default of every variable is a value that the kind of the variable accepts', () => {
  for (const [name, variable] of Object.entries<Variable>(VARIABLES)) {
    if (variable.default !== undefined) expect(variable.kind.parse(variable.default), name).toBeDefined();
  }
});
