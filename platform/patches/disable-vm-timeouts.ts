import type { Context, RunningScriptOptions, Script } from 'node:vm';

interface Scripts {
  runInContext: (this: Script, context: Context, options?: RunningScriptOptions) => unknown;
}

/** SDK calls into a workflow that run no rules of ours. */
const CALLS_WITHOUT_TIMEOUT = new Set<unknown>(['tryUnblockConditions', 'concludeActivation']);

/**
 * Patches `runInContext` of Node's `vm.Script`: the Temporal SDK's calls of `CALLS_WITHOUT_TIMEOUT`
 * run without their time limit.
 *
 * The SDK calls into a workflow at least three times per activation, each time with a limit. For
 * each limit Node starts a watchdog thread and joins it: 130 µs of CPU per call, against 1 µs
 * without a limit. Together with `empty-sink-calls.ts` the rate of lone posts, 32 in flight on a
 * busy machine, is 1.18 times as high (docs/decisions/workflow-threads.md). `activate` and
 * `initialize`, in which our rules decide, keep their limit.
 *
 * Checked with @temporalio/worker 1.24.0 and Node 20
 * (test/platform/patches/disable-vm-timeouts.test.ts). No upstream issue is known; an execution
 * timeout of zero that disables the limit would do.
 */
export function disableVmTimeouts(scripts: Scripts): void {
  const { runInContext } = scripts;
  scripts.runInContext = function runWithoutTimeout(context, options) {
    if (!CALLS_WITHOUT_TIMEOUT.has(calledFunction(context))) return runInContext.call(this, context, options);
    const { timeout: _timeout, ...rest } = options ?? {};
    return runInContext.call(this, context, rest);
  };
}

/**
 * Returns the name of the function that the SDK is about to call. The SDK stores the call in the
 * context.
 */
function calledFunction(context: Context): unknown {
  const call: unknown = context['__temporal_args'];
  return Array.isArray(call) ? call[1] : undefined;
}
