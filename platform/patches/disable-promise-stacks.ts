/**
 * Patches `Promise.constructor` inside the workflow sandbox, so that the Temporal SDK records no
 * stack trace for a promise. The build puts this code before the workflow bundle, on its first
 * line, so that the source map stays valid.
 *
 * The stack traces, for the query `__stack_trace`, took a fifth of a worker's CPU time
 * (docs/decisions/hot-path.md). The SDK's recorder reaches into the sandbox by
 * `promise.constructor.constructor`, and gets an `Error` class without a stack. Errors keep theirs.
 *
 * Checked with @temporalio/worker 1.24.0 (test/platform/patches/disable-promise-stacks.test.ts). No
 * upstream issue is known; an option that disables these stacks would do.
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
