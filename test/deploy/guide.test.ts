import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../platform/config/variables.ts';

const guide = readFileSync('docs/deployment.md', 'utf8');
const shown = ['.env.production.example', 'examples/bot-kit.mjs']
  .map((path) => readFileSync(path, 'utf8'))
  .concat(Object.keys(VARIABLES))
  .join('\n');

test('docs/deployment.md names only existing variables and files', () => {
  const names = [...guide.matchAll(/\b[A-Z]{2,}(?:_[A-Z]+)+\b/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(shown, name).toContain(name);
  const links = [...guide.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(5);
  for (const link of links)
    expect(existsSync(new URL(`../../docs/${link}`, import.meta.url)), link).toBe(true);
});

/** When the measured figures change, the derived figures must change too. */
test('the sizes in docs/deployment.md follow from its measured figures', () => {
  const cell = (row: RegExp, column: number) => row.exec(guide)?.[0].split('|')[column]?.trim() ?? '';
  const cost = Object.fromEntries(
    [...guide.matchAll(/^\| `([WTPASD])` [^|]*\| +([\d.]+) ms/gm)].map(([, name = '', ms]) => [
      name,
      Number(ms),
    ]),
  ) as Record<'W' | 'T' | 'P' | 'A' | 'S' | 'D', number>;
  const { W, T, P, A, S, D } = cost;
  const lone = W + T + A + S;
  expect(guide).toContain(`1000 / ${lone} ≈ ${Math.floor(1000 / lone)} messages`);
  expect(guide).toContain(`1000 / ${lone + D} ≈ ${Math.floor(1000 / (lone + D))}`);
  for (const [row, ms] of [
    [/^\| workers .*$/m, W + D],
    [/^\| APIs .*$/m, A],
    [/^\| Temporal, cores .*$/m, T],
    [/^\| the same, PostgreSQL .*$/m, P],
    [/^\| MongoDB, cores .*$/m, S],
  ] as const) {
    const said = [3, 4, 5].map((column) => Number.parseInt(cell(row, column), 10));
    expect(said, String(row)).toEqual([100, 1_000, 10_000].map((rate) => Math.ceil((rate * ms) / 700)));
  }
});
