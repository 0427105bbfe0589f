/**
 * Goes before the workflow bundle, on its first line. The SDK records a stack trace for every
 * promise that a workflow makes, for the stack trace that an operator may ask for; that took a
 * fifth of a worker's time (docs/decisions/hot-path.md), and says of our workflows only that they
 * wait for the next update. The recorder finds its way into a workflow by
 * `promise.constructor.constructor`: there it now gets an error without a stack, and then records
 * nothing. All else that it asks for is answered as before, and errors keep their stacks.
 */
export const UNTRACED_PROMISES = [
  '{',
  'const activator = () => globalThis.__TEMPORAL_ACTIVATOR__;',
  'class Untraced {}',
  'const untraced = () => Untraced;',
  "Object.defineProperty(Promise, 'constructor', { value: (code) =>",
  "code === 'return globalThis.Error' ? untraced",
  ": code === 'return globalThis.__TEMPORAL_ACTIVATOR__' ? activator",
  ': Function(code) });',
  '}',
].join(' ');
