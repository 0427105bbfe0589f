import { invalidRequest } from './errors.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const MAX_DIGITS = 309;

/**
 * Returns whether a number above 2^53 - 1 keeps its digits as a double: `9007199254740993` and
 * `1e400` do not. True for smaller numbers.
 */
export function keepsDigits(literal: string): boolean {
  const value = Number(literal);
  if (Number.isNaN(value)) return false;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  return Number.isFinite(value) && normalizeDigits(literal) === normalizeDigits(String(value));
}

export function isLongInteger(literal: string): boolean {
  return /^-?\d{16,}$/.test(literal) && !Number.isSafeInteger(Number(literal));
}

/** Returns a number without exponent, `1500` for `1.5e3`, and null for too many digits. */
export function plainDigits(literal: string): string | null {
  if (/^-?\d+$/.test(literal)) return literal;
  const { sign, digits, exponent } = parseParts(literal);
  if (digits.length + Math.abs(exponent) > MAX_DIGITS) return null;
  if (exponent >= 0) return `${sign}${digits}${'0'.repeat(exponent)}`;
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function normalizeDigits(literal: string): string {
  const { sign, digits, exponent } = parseParts(literal);
  return `${sign}${digits}e${exponent}`;
}

function parseParts(literal: string) {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const significant = withoutEndZeros(`${whole}${fraction}`);
  const zeros = whole.length + fraction.length - significant.length;
  return {
    sign,
    digits: significant.replace(/^0+/, ''),
    exponent: Number(exponent) - fraction.length + zeros,
  };
}

// A pattern such as `/0+$/` takes quadratic time on many zeros.
function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

const MAX_DEPTH = 100;

/** 1 MiB of ids in lists has fewer values. */
export const MAX_VALUES = 40_000;

/**
 * Throws DomainError `invalid_request` for over 100 levels or over `max` values, without parsing.
 */
export function assertJsonSize(text: string, max: number): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw invalidRequest('body', `must not nest deeper than ${MAX_DEPTH} levels`);
    }
    if (values > max) {
      throw invalidRequest('body', `must not hold more than ${max.toLocaleString('en')} values`);
    }
  }
}

export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    // Only an odd number of backslashes escapes the quotation mark.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns JSON with sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
