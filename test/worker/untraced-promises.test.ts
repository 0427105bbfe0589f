import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { UNTRACED_PROMISES } from '../../worker/untraced-promises.ts';

/**
 * Runs `code` as the workflow bundle is run: after the line that goes before it, in a context of
 * its own.
 */
function afterwards(code: string): unknown {
  const context = createContext({});
  return runInContext(`${UNTRACED_PROMISES}globalThis.__TEMPORAL_ACTIVATOR__ = 'the run'; ${code}`, context);
}

// The way in which the SDK's recorder goes from a promise to what it needs of the context.
const through = (asked: string) => `Promise.resolve().constructor.constructor('${asked}')()`;

test('promises of a workflow lead to no stack that could be recorded', () => {
  expect(afterwards(`new (${through('return globalThis.Error')})().stack`)).toBeUndefined();
});

test('promises of a workflow still lead to their run, and to whatever else is asked for', () => {
  expect(afterwards(through('return globalThis.__TEMPORAL_ACTIVATOR__'))).toBe('the run');
  expect(afterwards(through('return 6 * 7'))).toBe(42);
});

test('errors of a workflow keep their stacks', () => {
  expect(afterwards(`function broken() { return new Error('oh').stack } broken()`)).toMatch(/oh\n.*broken/);
});
