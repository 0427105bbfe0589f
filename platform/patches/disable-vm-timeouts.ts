import type { Context, RunningScriptOptions, Script } from 'node:vm';

interface Scripts {
  runInContext: (this: Script, context: Context, options?: RunningScriptOptions) => unknown;
}

/** Calls of the SDK that run only conditions and the code after them, or only the SDK. */
const CALLS_WITHOUT_TIMEOUT = new Set<unknown>(['tryUnblockConditions', 'concludeActivation', 'dispose']);
const LIMIT_MS = 60_000;

/**
 * Patches `runInContext` of Node's `vm.Script`: the Temporal SDK's calls of `CALLS_WITHOUT_TIMEOUT`
 * run without their time limit. `activate` and `initialize`, which run the rules, have a minute
 * instead of five seconds: a machine may pause for seconds, and a microtask at its limit ends the
 * process (nodejs/node#38503).
 *
 * For each limit Node starts and joins a watchdog thread: 130 µs of CPU per call instead of 1 µs,
 * at least three times per activation (docs/decisions/workflow-threads.md).
 *
 * Checked with @temporalio/worker 1.24.0 and Node 20
 * (test/platform/patches/disable-vm-timeouts.test.ts).
 */
export function disableVmTimeouts(scripts: Scripts, limitMs = LIMIT_MS): void {
  const { runInContext } = scripts;
  scripts.runInContext = function runWithPatchedTimeout(context, options) {
    const called = calledFunction(context);
    if (called === undefined || options?.timeout === undefined)
      return runInContext.call(this, context, options);
    const { timeout: _timeout, ...rest } = options;
    const limit = CALLS_WITHOUT_TIMEOUT.has(called) ? {} : { timeout: limitMs };
    return runInContext.call(this, context, { ...rest, ...limit });
  };
}

/** Reads from the context which function the SDK is about to call. */
function calledFunction(context: Context): unknown {
  const call: unknown = context['__temporal_args'];
  return Array.isArray(call) ? call[1] : undefined;
}
