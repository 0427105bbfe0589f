import jsonata from 'jsonata';

/** JSONata rejects longer numbers. */
const MAX_DIGITS = 310;

/** Throws for inexact integers: JSONata reads the id `9007199254740993` as 9007199254740992. */
export function assertExactNumbers(ast: unknown, text: string): void {
  const seen = new Set<object>();
  const left: unknown[] = [ast];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    const { type, position } = node as { type?: unknown; position?: unknown };
    if (type === 'number' && typeof position === 'number') assertExact(text, position);
    for (const member of Object.values(node)) left.push(member);
  }
}

function assertExact(text: string, position: number): void {
  const before = text.slice(Math.max(0, position - MAX_DIGITS), position);
  const [, digits] = /(?<![\w.])(\d+)(?:\.\d+)?$/.exec(before) ?? [];
  if (digits === undefined || BigInt(digits) === BigInt(Number(digits))) return;
  const message = `The number ${digits} would lose digits: write it as a text, "${digits}".`;
  throw Object.assign(new Error(message), { code: 'S0102', position, token: digits });
}

/** A node of the syntax tree. */
export interface StepNode {
  type: string;
  value?: unknown;
  position?: number;
  procedure?: { value?: unknown };
  /** Keys and values of an object constructor. */
  lhs?: readonly (readonly StepNode[])[];
}

const OPERATORS: readonly unknown[] = ['+', '-', '*', '/', '%'];

/**
 * Throws for a computed number above 2^53 - 1: its last digits may be wrong, and `$string` shows
 * none of that. Numbers that are only passed on are exact.
 */
export function assertExactStep({ type, value, position, procedure }: StepNode, result: unknown): void {
  if (typeof result !== 'number' || isExact(result)) return;
  if (type === 'binary' && OPERATORS.includes(value)) throw inexactError({ token: value, position });
  if (type === 'function' || type === 'apply') throw inexactError({ token: procedure?.value, position });
}

/** Infinite numbers have a separate fault. */
function isExact(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(number);
}

function inexactError(place: { token: unknown; position?: number | undefined }): Error {
  const message = `A number above ${Number.MAX_SAFE_INTEGER} would lose digits: keep it as a text, and do not calculate with it.`;
  const { token, position } = place;
  return Object.assign(new Error(message), {
    code: 'inexact',
    ...(typeof token === 'string' ? { token } : {}),
    ...(position === undefined ? {} : { position }),
  });
}

type Implementation = (this: unknown, ...args: never[]) => unknown;

interface NativeFunction {
  _jsonata_function: true;
  implementation: Implementation;
  signature: unknown;
}

const [nativeNumber, nativeParse, nativeEval] = (await Promise.all(
  ['$number', '$parseInteger', '$eval'].map(
    (name) => jsonata(name).evaluate(null) as Promise<NativeFunction>,
  ),
)) as [NativeFunction, NativeFunction, NativeFunction];

/**
 * Creates `$number`, `$parseInteger` and `$eval`, which fail instead of losing digits. Call it for
 * each run: an expression can change the properties of a function object.
 */
export function numberFunctions(): Record<'number' | 'parseInteger' | 'eval', object> {
  return {
    number: { ...nativeNumber, implementation: toExactNumber },
    parseInteger: { ...nativeParse, implementation: parseExactInteger },
    eval: { ...nativeEval, implementation: evaluateExact },
  };
}

/** `$map` calls a function without a further step. */
function toExactNumber(this: unknown, ...given: unknown[]): unknown {
  const number = nativeNumber.implementation.apply(this, given as never[]);
  if (typeof number === 'number' && !isExact(number)) throw inexactError({ token: 'number' });
  return number;
}

function parseExactInteger(this: unknown, ...given: unknown[]): unknown {
  const number = nativeParse.implementation.apply(this, given as never[]);
  if (typeof number === 'number' && !isExact(number)) throw inexactError({ token: 'parseInteger' });
  return number;
}

function evaluateExact(this: unknown, ...given: unknown[]): unknown {
  const [text] = given;
  if (typeof text === 'string') {
    const ast = parseOrUndefined(text);
    try {
      if (ast) assertExactNumbers(ast, text);
    } catch (error) {
      // A position within the text is not a position in the expression.
      throw Object.assign(new Error((error as Error).message), { code: 'inexact', token: 'eval' });
    }
  }
  return nativeEval.implementation.apply(this, given as never[]);
}

/** The error of a text that does not parse is that of the native function. */
function parseOrUndefined(text: string): unknown {
  try {
    return jsonata(text).ast();
  } catch {
    return undefined;
  }
}

// All expressions share these functions.
[toExactNumber, parseExactInteger, evaluateExact].forEach((implementation) => Object.freeze(implementation));
