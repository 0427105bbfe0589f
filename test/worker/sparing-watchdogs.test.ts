import { Script, createContext } from 'node:vm';
import type { Context, RunningScriptOptions } from 'node:vm';
import { expect, test } from 'vitest';
import { spareWatchdogs } from '../../worker/sparing-watchdogs.ts';

/** Scripts as Node runs them, with fewer watchdogs; the prototype itself stays as it is. */
function sparing() {
  const scripts = Object.create(Script.prototype) as Script;
  spareWatchdogs(scripts);
  return scripts;
}

/** The options that a call into a workflow is made with in the end. */
function optionsOf(called: string): unknown {
  let seen: unknown;
  const scripts = { runInContext: (_: Context, options?: RunningScriptOptions) => (seen = options) };
  spareWatchdogs(scripts);
  const context = createContext({ __temporal_args: [{}, called, []] });
  scripts.runInContext.call(new Script(''), context, { timeout: 5_000, displayErrors: true });
  return seen;
}

test.each(['initialize', 'activate', 'dispose'])('a call of %s keeps its time limit', (called) => {
  expect(optionsOf(called)).toEqual({ timeout: 5_000, displayErrors: true });
});

test.each(['tryUnblockConditions', 'concludeActivation'])('a call of %s needs no watchdog', (called) => {
  expect(optionsOf(called)).toEqual({ displayErrors: true });
});

test('a request that never ends being decided is still ended', () => {
  const context = createContext({ __temporal_args: [{}, 'activate', []] });
  const run = () => sparing().runInContext.call(new Script('for (;;);'), context, { timeout: 20 });
  expect(run).toThrow(/timed out after 20ms/);
});

test('what is no call of the SDK runs as it is asked for', () => {
  expect(sparing().runInContext.call(new Script('6 * 7'), createContext({}))).toBe(42);
});
