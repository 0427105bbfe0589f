import ipaddr from 'ipaddr.js';
import { canonicalEmail } from '../../domain/email.ts';

/**
 * How the text of an environment variable becomes a value. `parse` answers undefined for a text
 * that is none.
 */
export interface VariableKind<T> {
  /** Completes "NAME must be …". Speaks of the form, never of the given value. */
  expected: string;
  parse: (text: string) => T | undefined;
}

/** Any text, used as it is. */
export const text: VariableKind<string> = { expected: 'a text', parse: (given) => given };

/** A text of at least `bytes` bytes in UTF-8, for secrets. */
export function secret(bytes: number): VariableKind<string> {
  return {
    expected: `at least ${bytes} bytes long`,
    parse: (given) => (Buffer.byteLength(given) >= bytes ? given : undefined),
  };
}

/** An email, which is read as the form that it is stored in. */
export const email: VariableKind<string> = { expected: 'an email address', parse: canonicalEmail };

/** A text that `form` matches as a whole. */
export function textMatching(form: RegExp, expected: string): VariableKind<string> {
  return { expected, parse: (given) => (form.test(given) ? given : undefined) };
}

/** One of a closed set of words. */
export function oneOf<const W extends string>(words: readonly W[]): VariableKind<W> {
  return { expected: `one of ${words.join(', ')}`, parse: (given) => words.find((word) => word === given) };
}

/** A whole number written in plain digits, `min` to `max`. */
export function integer(min: number, max: number): VariableKind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (given) => (/^\d{1,15}$/.test(given) ? valueWithin(Number(given), min, max) : undefined),
  };
}

/** A plain decimal, `min` to `max`. */
export function decimal(min: number, max: number): VariableKind<number> {
  return {
    expected: `a number from ${min} to ${max}`,
    parse: (given) =>
      /^\d{1,15}(\.\d{1,9})?$/.test(given) ? valueWithin(Number(given), min, max) : undefined,
  };
}

/** A TCP port; 0 lets the system choose. */
export const port = integer(0, 65_535);

/** An absolute http or https address, without a slash at its end. */
export const webAddress: VariableKind<string> = {
  expected: 'an absolute http:// or https:// address without query and fragment',
  parse(given) {
    if (!/^https?:\/\/[^?#]+$/i.test(given) || !URL.canParse(given)) return undefined;
    return given.replace(/\/+$/, '');
  },
};

/**
 * An address that programs are downloaded from: they are executed, so they must not change on the
 * way.
 */
export const downloadAddress: VariableKind<string> = {
  expected: 'an https:// address (http:// of loopback alone) without query and fragment',
  parse(given) {
    const address = webAddress.parse(given);
    return address !== undefined && isUntampered(new URL(address)) ? address : undefined;
  },
};

/** Whether only the two ends of a connection can change what is sent: https, or loopback. */
export function isUntampered({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A network in CIDR notation, IPv4 or IPv6. */
export const network: VariableKind<string> = {
  expected: 'a network in CIDR notation such as 10.0.0.0/8',
  parse: (given) => (ipaddr.isValidCIDR(given) ? given : undefined),
};

/** A comma-separated list; spaces around an item do not count, no item may be empty. */
export function listOf<T>(item: VariableKind<T>, bounds: { min: number; max: number }): VariableKind<T[]> {
  return {
    expected: `${bounds.min} to ${bounds.max} comma-separated items, each ${item.expected}`,
    parse(given) {
      const parts = given.split(',').map((part) => part.trim());
      if (parts.length < bounds.min || parts.length > bounds.max || parts.includes('')) return undefined;
      const items = parts.map(item.parse);
      return items.every((one) => one !== undefined) ? items : undefined;
    },
  };
}

function valueWithin(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}
