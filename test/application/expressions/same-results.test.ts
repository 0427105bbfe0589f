import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import jsonata from 'jsonata';
import { afterAll, describe, expect, test } from 'vitest';
import { createExpressionPool } from '../../../application/expressions/pool.ts';
import type { Evaluation } from '../../../application/expressions/pool.ts';
import { STATIC_FUNCTIONS } from '../../../application/expressions/process/static-functions.ts';
import { EXPRESSIONS, ORDER } from './expressions.ts';

const pool = createExpressionPool({ size: 2 });

afterAll(() => pool.close());

function inPool(expression: string, body: unknown): Promise<Evaluation> {
  const resolveLookup = () => Promise.resolve(undefined);
  return pool.evaluate({ expression, path: ['o'], body: JSON.stringify(body), resolveLookup });
}

/** Evaluates the expression in this process with plain JSONata. */
async function here(expression: string, body: unknown): Promise<unknown> {
  try {
    const value = (await jsonata(expression).evaluate(JSON.parse(JSON.stringify(body)), {})) as unknown;
    const result = JSON.stringify(value) as string | undefined;
    return result === undefined ? {} : { result };
  } catch (error) {
    const { code, position } = error as { code?: string; position?: number };
    return { fault: { ...(code ? { code } : {}), ...(position === undefined ? {} : { position }) } };
  }
}

describe('the test expressions', () => {
  test('the test expressions cover every function of JSONata', () => {
    expect(new Set(EXPRESSIONS).size).toBeGreaterThanOrEqual(150);
    const all = EXPRESSIONS.join(' ');
    expect(STATIC_FUNCTIONS.filter((name) => !all.includes(`$${name}`))).toEqual([]);
    const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
    const bound = [...source.matchAll(/staticFrame\.bind\('(\w+)'/g)].map(([, name]) => name);
    expect([...STATIC_FUNCTIONS].sort()).toEqual(bound.sort());
  });

  test('the test expressions have the same results and errors in an expression process as in plain JSONata', async () => {
    const expected = [];
    const given = [];
    for (const expression of EXPRESSIONS) {
      expected.push([expression, await here(expression, ORDER)]);
      given.push([expression, await inPool(expression, ORDER)]);
    }
    expect(given).toMatchObject(expected);
  });

  test('an expression has the same result for random bodies in an expression process as in plain JSONata', async () => {
    const expression =
      '{"keys": $keys($), "copy": $, "every": **[$type($) = "string"], "merged": $merge([$, {"a": 1}])}';
    await fc.assert(
      fc.asyncProperty(fc.dictionary(awkwardKey, fc.jsonValue({ maxDepth: 3 })), async (body) => {
        expect(await inPool(expression, body)).toEqual(await here(expression, body));
      }),
      { numRuns: 150 },
    );
  });
});

const awkwardKey = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => !/\0|\p{Surrogate}/u.test(text)),
  fc.constantFrom(
    'constructor',
    'toString',
    'length',
    'sequence',
    'hasOwnProperty',
    '$',
    '.',
    'a.b',
    'valueOf',
  ),
);
