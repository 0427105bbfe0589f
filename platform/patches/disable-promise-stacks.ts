/**
 * Patches `Promise.constructor` inside the workflow sandbox: the Temporal SDK records no stack
 * traces of promises. The build prepends this code to the first line of the workflow bundle: the
 * source map stays valid.
 *
 * The stack traces, for the query `__stack_trace`, took a fifth of a worker's CPU time
 * (docs/decisions/hot-path.md). The SDK's recorder reaches into the sandbox by
 * `promise.constructor.constructor`, and gets an `Error` class without a stack. Errors keep their
 * stacks.
 *
 * Checked with @temporalio/worker 1.24.0 (test/platform/patches/disable-promise-stacks.test.ts). No
 * upstream issue is known.
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
