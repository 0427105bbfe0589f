const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits that a number without a fraction has at most, as JavaScript can hold it. */
const MAX_DIGITS = 309;

/**
 * Whether a number keeps its whole digits when it is read as a double. `0.1` does, although no
 * double is exactly a tenth: what is shown again are the digits that were sent. `9007199254740993`
 * becomes 9007199254740992, and does not. A number without bounds as double (`1e400`) is not.
 */
export function keepsDigits(literal: string): boolean {
  const value = Number(literal);
  if (Number.isNaN(value)) return false;
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  return Number.isFinite(value) && normalizeDigits(literal) === normalizeDigits(String(value));
}

/** Whether a number is written in digits alone and is above 2^53 - 1 in either direction. */
export function isLongInteger(literal: string): boolean {
  return /^-?\d{16,}$/.test(literal) && !Number.isSafeInteger(Number(literal));
}

/**
 * A number in plain digits, without an exponent: `1.5e3` is `1500`. Null where it has no bounds.
 */
export function plainDigits(literal: string): string | null {
  const { sign, digits, exponent } = parseParts(literal);
  if (/^-?\d+$/.test(literal)) return literal;
  if (digits.length + Math.abs(exponent) > MAX_DIGITS) return null;
  if (exponent >= 0) return `${sign}${digits}${'0'.repeat(exponent)}`;
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

// The same for two spellings of one number: `1.50e3` and `1500`.
function normalizeDigits(literal: string): string {
  const { sign, digits, exponent } = parseParts(literal);
  return `${sign}${digits}e${exponent}`;
}

interface Parts {
  sign: string;
  /** Without zeros at either end. */
  digits: string;
  /** The power of ten that the digits are multiplied by. */
  exponent: number;
}

function parseParts(literal: string): Parts {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  const significant = withoutEndZeros(`${whole}${fraction}`);
  const zeros = whole.length + fraction.length - significant.length;
  return {
    sign,
    digits: significant.replace(/^0+/, ''),
    exponent: Number(exponent) - fraction.length + zeros,
  };
}

// A pattern that is anchored at the end alone begins anew at every zero.
function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
