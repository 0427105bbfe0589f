import type { Context, RunningScriptOptions, Script } from 'node:vm';

/** What scripts run by: `Script.prototype`. */
interface Scripts {
  runInContext: (this: Script, context: Context, options?: RunningScriptOptions) => unknown;
}

/** The calls of the SDK into a workflow in which no request is decided. */
const SPARED = new Set<unknown>(['tryUnblockConditions', 'concludeActivation']);

/**
 * Has scripts run without a time limit where the SDK calls one of `SPARED`. The SDK calls into a
 * workflow at least three times for each activation, each time with a limit. For each limit Node
 * starts a thread that watches over it, and ends that thread again, which costs more than the call.
 */
export function spareWatchdogs(scripts: Scripts): void {
  const { runInContext } = scripts;
  scripts.runInContext = function runSparingly(context, options) {
    if (!SPARED.has(calledIn(context))) return runInContext.call(this, context, options);
    const { timeout: _spared, ...rest } = options ?? {};
    return runInContext.call(this, context, rest);
  };
}

/** What the SDK is about to call; it leaves holder, name and arguments in the context. */
function calledIn(context: Context): unknown {
  const call: unknown = context['__temporal_args'];
  return Array.isArray(call) ? call[1] : undefined;
}
