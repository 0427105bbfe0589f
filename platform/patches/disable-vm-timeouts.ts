import type { Context, RunningScriptOptions, Script } from 'node:vm';

interface Scripts {
  runInContext: (this: Script, context: Context, options?: RunningScriptOptions) => unknown;
}

/** The SDK's calls into a workflow that run only its conditions and the code after them. */
const CALLS_WITHOUT_TIMEOUT = new Set<unknown>(['tryUnblockConditions', 'concludeActivation']);

/**
 * Patches `runInContext` of Node's `vm.Script`: the Temporal SDK's calls of `CALLS_WITHOUT_TIMEOUT`
 * run without their time limit. `activate` and `initialize`, which run the rules, keep the limit.
 *
 * For each limit Node starts and joins a watchdog thread: 130 µs of CPU per call instead of 1 µs,
 * at least three times per activation (docs/decisions/workflow-threads.md).
 *
 * Checked with @temporalio/worker 1.24.0 and Node 20
 * (test/platform/patches/disable-vm-timeouts.test.ts). No upstream issue is known.
 */
export function disableVmTimeouts(scripts: Scripts): void {
  const { runInContext } = scripts;
  scripts.runInContext = function runWithoutTimeout(context, options) {
    if (!CALLS_WITHOUT_TIMEOUT.has(calledFunction(context))) return runInContext.call(this, context, options);
    const { timeout: _timeout, ...rest } = options ?? {};
    return runInContext.call(this, context, rest);
  };
}

/** Reads from the context which function the SDK is about to call. */
function calledFunction(context: Context): unknown {
  const call: unknown = context['__temporal_args'];
  return Array.isArray(call) ? call[1] : undefined;
}
