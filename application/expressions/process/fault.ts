import type { ExpressionFault } from '../protocol.ts';

interface Thrown {
  code?: unknown;
  message?: unknown;
  /** Offset of the token's end. */
  position?: unknown;
  token?: unknown;
  value?: unknown;
  index?: unknown;
}

const END = '(end)';
const MAX_TOKEN = 60;

export function toFault(error: unknown, text: string): ExpressionFault {
  const thrown = (error ?? {}) as Thrown;
  const { code } = thrown;
  const position = typeof thrown.position === 'number' ? thrown.position : firstUse(thrown.token, text);
  return {
    code: typeof code === 'string' ? code : 'evaluation',
    message: describeThrown(thrown).slice(0, 1_000),
    ...(position === undefined ? {} : { position, place: describePosition(thrown, position, text) }),
  };
}

/** Returns the end of the first use, because JSONata omits the position for `text ~> $function`. */
function firstUse(token: unknown, text: string): number | undefined {
  if (typeof token !== 'string' || token === '') return undefined;
  const written = /^\w+$/.test(token) ? `$${token}` : token;
  const at = text.indexOf(written);
  return at < 0 ? undefined : at + written.length;
}

function describeThrown({ code, message, token, index, value }: Thrown): string {
  const said = typeof message === 'string' && message !== '' ? message : 'The expression failed.';
  const name = `$${String(token)}`;
  switch (code) {
    case 'T0410':
      return `Argument ${String(index)} of the function ${name} does not fit: it is ${describeValue(value)}.`;
    case 'T0411':
      return `The arguments of the function ${name} do not fit: check their number and types.`;
    case 'T0412':
      return `${said}; it is ${describeValue(value)}.`;
    case 'T1006':
    case 'T1008':
      return typeof token === 'string' ? `There is no function ${name}.` : said;
    case 'T2001':
    case 'T2002':
      return `${said}; it is ${describeValue(value)}.`;
    default:
      return said;
  }
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'not there';
  if (value === null) return 'null';
  if (Array.isArray(value))
    return `a list${value.length > 0 ? ` that begins with ${describeValue(value[0])}` : ''}`;
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, MAX_TOKEN))}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${String(value)}`;
  const { _jsonata_function: native, _jsonata_lambda: lambda } = value as Record<string, unknown>;
  return typeof value === 'function' || native === true || lambda === true ? 'a function' : 'an object';
}

/** Returns, for example, "in $toMillis, line 3, column 12, character 45". Counts from 1. */
function describePosition({ code, token }: Thrown, position: number, text: string): string {
  const { named, start, end } = locate(typeof token === 'string' ? token : '', { code, position, text });
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const column = start - before.lastIndexOf('\n');
  return `${named === '' ? 'at ' : `${named}, `}line ${line}, column ${column}, character ${end}`;
}

interface Located {
  named: string;
  start: number;
  end: number;
}

function locate(
  token: string,
  { code, position, text }: { code: unknown; position: number; text: string },
): Located {
  if (token === END) return { named: 'at the end', start: position, end: position };
  const isSyntax = typeof code === 'string' && code.startsWith('S');
  if (!isSyntax && /^\w+$/.test(token)) return locateCall(token, position, text);
  const short = token.slice(0, MAX_TOKEN);
  const start = text.slice(0, position).endsWith(token) ? position - token.length : Math.max(0, position - 1);
  return { named: token === '' ? '' : `at ${JSON.stringify(short)}`, start, end: position };
}

// JSONata gives the outer call's position for nested calls.
function locateCall(name: string, position: number, text: string): Located {
  const call = text.slice(0, position).search(new RegExp(`\\$${name}\\s*\\($`));
  if (call >= 0) return { named: `in $${name}`, start: call, end: position };
  const first = text.search(new RegExp(`\\$${name}\\b`));
  if (first < 0) return { named: `in $${name}`, start: Math.max(0, position - 1), end: position };
  return { named: `in $${name}`, start: first, end: first + name.length + 1 };
}
