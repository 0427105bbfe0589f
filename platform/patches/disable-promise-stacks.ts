/**
 * Patches `Promise.constructor` inside the workflow sandbox, so that the Temporal SDK records no
 * stack trace for a promise. The build puts this code before the workflow bundle, on its first
 * line, so that the source map stays valid.
 *
 * The SDK records a stack trace for every promise of a workflow, for the query `__stack_trace`.
 * That took a fifth of a worker's CPU time (docs/decisions/hot-path.md), and the query would show
 * only that a workflow waits for the next update. The SDK's recorder reaches into the sandbox by
 * `promise.constructor.constructor`. With this patch the recorder gets an `Error` class without a
 * stack there and records nothing. Errors keep their stacks.
 *
 * Checked with @temporalio/worker 1.24.0 (test/platform/patches/disable-promise-stacks.test.ts). No
 * upstream issue is known; an option that disables the promise hook's stacks would do.
 */
export const DISABLE_PROMISE_STACKS = [
  '{',
  'const activator = () => globalThis.__TEMPORAL_ACTIVATOR__;',
  'class ErrorWithoutStack {}',
  'const errorClass = () => ErrorWithoutStack;',
  "Object.defineProperty(Promise, 'constructor', { value: (code) =>",
  "code === 'return globalThis.Error' ? errorClass",
  ": code === 'return globalThis.__TEMPORAL_ACTIVATOR__' ? activator",
  ': Function(code) });',
  '}',
].join(' ');
