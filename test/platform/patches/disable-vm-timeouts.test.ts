import { Script, createContext } from 'node:vm';
import type { Context, RunningScriptOptions } from 'node:vm';
import { expect, test } from 'vitest';
import { disableVmTimeouts } from '../../../platform/patches/disable-vm-timeouts.ts';
import { bundleCode, replayHistory } from './replay.ts';

/** Returns an object that inherits from the prototype of `Script`, and patches only this object. */
function patchedScripts(limitMs?: number): Script {
  const scripts = Object.create(Script.prototype) as Script;
  disableVmTimeouts(scripts, limitMs);
  return scripts;
}

/** Returns the options that Node receives when the SDK calls the function `name`. */
function optionsFor(name: string): unknown {
  let seen: unknown;
  const scripts = { runInContext: (_: Context, options?: RunningScriptOptions) => (seen = options) };
  disableVmTimeouts(scripts);
  const context = createContext({ __temporal_args: [{}, name, []] });
  scripts.runInContext.call(new Script(''), context, { timeout: 5_000, displayErrors: true });
  return seen;
}

/**
 * Returns the names of functions that the SDK calls with a time limit while it replays a history.
 */
async function limitedCalls(): Promise<Set<unknown>> {
  const { prototype } = Script as { prototype: Parameters<typeof disableVmTimeouts>[0] };
  const { runInContext } = prototype;
  const limited = new Set<unknown>();
  prototype.runInContext = function recorded(context, options) {
    const call: unknown = context['__temporal_args'];
    if (Array.isArray(call) && options?.timeout !== undefined) limited.add(call[1]);
    return runInContext.call(this, context, options);
  };
  try {
    await replayHistory({ code: await bundleCode() }, false);
  } finally {
    prototype.runInContext = runInContext;
  }
  return limited;
}

/** Returns the CPU time of 300 runs of a script, in microseconds. */
function cpuOfRuns(options: RunningScriptOptions): number {
  const script = new Script('1');
  const context = createContext({});
  const before = process.cpuUsage();
  for (let run = 0; run < 300; run++) script.runInContext(context, options);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('the SDK sets a time limit for activate, tryUnblockConditions and concludeActivation', async () => {
  expect([...(await limitedCalls())]).toEqual(
    expect.arrayContaining(['activate', 'tryUnblockConditions', 'concludeActivation']),
  );
});

test('a time limit costs Node several times the CPU of a short run', () => {
  expect(cpuOfRuns({ timeout: 5_000 })).toBeGreaterThan(5 * cpuOfRuns({}));
});

test.each(['initialize', 'activate'])(
  'a patched call of %s has a minute, so that no pause of the machine ends the process',
  (name) => {
    expect(optionsFor(name)).toEqual({ timeout: 60_000, displayErrors: true });
  },
);

test.each(['tryUnblockConditions', 'concludeActivation', 'dispose'])(
  'a patched call of %s has no time limit',
  (name) => {
    expect(optionsFor(name)).toEqual({ displayErrors: true });
  },
);

test('an endless workflow call is stopped at its time limit', () => {
  const context = createContext({ __temporal_args: [{}, 'activate', []] });
  const run = () =>
    patchedScripts(20).runInContext.call(new Script('for (;;);'), context, { timeout: 5_000 });
  expect(run).toThrow(/timed out after 20ms/);
});

test("a patched script that is not one of the SDK's calls runs as without the patch", () => {
  expect(patchedScripts().runInContext.call(new Script('6 * 7'), createContext({}))).toBe(42);
});
