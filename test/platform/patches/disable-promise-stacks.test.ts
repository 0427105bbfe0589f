import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { DISABLE_PROMISE_STACKS } from '../../../platform/patches/disable-promise-stacks.ts';
import { bundleCode, replayHistory, sdkModule } from './replay.ts';

interface SdkWorkflow {
  activator: { promiseStackStore: { promiseToStack: Map<unknown, unknown> } };
}

interface SdkCreators {
  ReusableVMWorkflowCreator: { prototype: { createWorkflow: (options: object) => Promise<SdkWorkflow> } };
}

/** Runs `code` after the patch in a new context, as in the workflow bundle. */
function runPatched(code: string): unknown {
  // A replay before this test leaves the SDK's recorder of promise stacks installed, and the
  // recorder needs these fields.
  const promiseStackStore = { promiseToStack: new Map(), childToParent: new Map() };
  const context = createContext({ activator: { info: { runId: 'the run' }, promiseStackStore } });
  const setActivator = 'globalThis.__TEMPORAL_ACTIVATOR__ = activator; ';
  return runInContext(`${DISABLE_PROMISE_STACKS}${setActivator}${code}`, context);
}

/** Returns code that reaches globals through a promise, as the SDK's recorder does. */
const fromPromise = (code: string) => `Promise.resolve().constructor.constructor('${code}')()`;

/** Returns the number of promise stacks that the SDK records while it replays a history. */
async function recordedStacks(code: string): Promise<number> {
  const { prototype } = (sdkModule('reusable-vm') as SdkCreators).ReusableVMWorkflowCreator;
  const { createWorkflow } = prototype;
  let recorded = 0;
  prototype.createWorkflow = async function counted(options) {
    const workflow = await createWorkflow.call(this, options);
    const { promiseToStack } = workflow.activator.promiseStackStore;
    promiseToStack.set = function set(this: typeof promiseToStack, promise, stack) {
      recorded++;
      return Map.prototype.set.call(this, promise, stack) as typeof promiseToStack;
    };
    return workflow;
  };
  try {
    await replayHistory({ code }, false);
  } finally {
    prototype.createWorkflow = createWorkflow;
  }
  return recorded;
}

test('without the patch, the SDK records stacks of promises', async () => {
  const code = await bundleCode();
  expect(code.startsWith(DISABLE_PROMISE_STACKS)).toBe(true);
  expect(await recordedStacks(code.slice(DISABLE_PROMISE_STACKS.length))).toBeGreaterThan(100);
});

test('the SDK records no stack of a promise in the built workflow bundle', async () => {
  expect(await recordedStacks(await bundleCode())).toBe(0);
});

test('a promise of a patched workflow leads to an Error class that records no stacks', () => {
  expect(runPatched(`new (${fromPromise('return globalThis.Error')})().stack`)).toBeUndefined();
});

test('a promise of a patched workflow still leads to the activator of its run and to other globals', () => {
  expect(runPatched(`${fromPromise('return globalThis.__TEMPORAL_ACTIVATOR__')}.info.runId`)).toBe('the run');
  expect(runPatched(fromPromise('return 6 * 7'))).toBe(42);
});

test('errors of a patched workflow keep their stacks', () => {
  expect(runPatched(`function broken() { return new Error('oh').stack } broken()`)).toMatch(/oh\n.*broken/);
});
