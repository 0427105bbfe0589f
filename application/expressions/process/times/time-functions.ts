import jsonata from 'jsonata';
import { formatTime } from './format-time.ts';
import { parseIsoTime, parseTime } from './parse-time.ts';

interface Focus {
  environment: { timestamp: Date };
}

type Implementation = (this: Focus, ...args: never[]) => unknown;

interface NativeFunction {
  _jsonata_function: true;
  implementation: Implementation;
  signature: unknown;
}

type TimeFunction = 'toMillis' | 'fromMillis' | 'now';

const [nativeTo, nativeFrom, nativeNow] = await Promise.all(
  ['$toMillis', '$fromMillis', '$now'].map(
    async (name) => (await jsonata(name).evaluate(null)) as NativeFunction,
  ),
);

/**
 * Creates time functions that use UTC, accept offsets and zone names, and reject impossible times.
 * Call it for each run: an expression can change the properties of a function object.
 */
export function timeFunctions(): Record<TimeFunction, object> {
  return {
    toMillis: { ...nativeTo, implementation: toMillis },
    fromMillis: { ...nativeFrom, implementation: fromMillis },
    now: { ...nativeNow, implementation: now },
  };
}

function toMillis(this: Focus, text?: string, picture?: string): number | undefined {
  if (text === undefined) return undefined;
  return named('toMillis', () =>
    picture === undefined ? parseIsoTime(text) : parseTime(text, picture, nativeTimes(this)),
  );
}

function fromMillis(this: Focus, millis?: number, picture?: string, zone?: string): string | undefined {
  if (millis === undefined) return undefined;
  return named('fromMillis', () => formatTime(millis, { picture, zone }, nativeTimes(this).format));
}

/** Returns the same time for each call of a run. */
function now(this: Focus, picture?: string, zone?: string): string {
  const millis = this.environment.timestamp.getTime();
  return named('now', () => formatTime(millis, { picture, zone }, nativeTimes(this).format));
}

// All expressions share these functions.
[toMillis, fromMillis, now].forEach((implementation) => Object.freeze(implementation));

/** Adds the name of the function to an error of `work`, by which `toFault` finds the position. */
export function named<T>(token: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (typeof error === 'object' && error !== null) Object.assign(error, { token });
    throw error;
  }
}

function nativeTimes(focus: Focus) {
  const call = (native: NativeFunction | undefined, args: unknown[]) =>
    native?.implementation.apply(focus, args as never[]);
  return {
    format: (...args: unknown[]) => call(nativeFrom, args) as string,
    parse: (...args: unknown[]) => call(nativeTo, args) as number | undefined,
  };
}
