import type { DomainError } from './errors.ts';
import { invalidRequest } from './errors.ts';

/** Bytes of a `meta` as JSON (spec 2.9). */
export const MAX_META_BYTES = 16 * 1024;

/**
 * Levels of objects and arrays in free-form data; MongoDB stores a hundred of them, and ours are
 * not the outermost.
 */
const MAX_DEPTH = 50;

// The first three reach into JavaScript's own objects; the last makes the store's serializer take
// data for one of its types.
const RESERVED = ['__proto__', 'constructor', 'prototype', '_bsontype'];

interface FreeForm {
  meta?: Record<string, unknown> | null | undefined;
  settings?: Record<string, unknown> | null | undefined;
}

interface KeyRules {
  /** A dot would make a key read as a path when it is filtered by. */
  dots: 'refused' | 'allowed';
}

/**
 * Refuses, with DomainError `invalid_request`, a key that a caller may not name: `__proto__`,
 * `constructor`, `prototype`, one beginning with `$` and, unless allowed, one with a dot (spec
 * 2.9).
 */
export function assertSafeKey(key: string, path: string, { dots }: KeyRules = { dots: 'refused' }): void {
  if (RESERVED.includes(key)) throw invalidRequest(path, `the key "${key}" is not allowed`);
  if (key.startsWith('$')) throw invalidRequest(path, `a key must not begin with "$"`);
  if (key.includes('\0')) throw invalidRequest(path, 'a key must not contain a NUL character');
  if (dots === 'refused' && key.includes('.')) throw invalidRequest(path, 'a key must not contain "."');
}

/**
 * Refuses a free-form value with a key, at any level, that `refuseKey` refuses, or nested deeper
 * than 50 levels.
 */
export function assertSafeKeys(value: unknown, path: string, rules: KeyRules = { dots: 'refused' }): void {
  checkValue(value, { path, rules, left: Infinity }, 1);
}

/** Refuses a `meta` that breaks spec 2.9: unsafe keys, too deep, or above 16 KiB as JSON. */
export function assertValidMeta(meta: Record<string, unknown>, path = 'meta'): void {
  checkValue(meta, { path, rules: { dots: 'refused' }, left: MAX_META_BYTES }, 1);
  if (jsonBytes(meta) > MAX_META_BYTES) throw tooLargeError(path);
}

/**
 * Refuses free-form fields of a record that break spec 2.9. Null, which clears one, breaks nothing.
 */
export function assertValidFreeForm({ meta, settings }: FreeForm): void {
  if (meta) assertValidMeta(meta);
  if (settings) assertValidMeta(settings, 'settings');
}

/**
 * Bytes of a value as JSON in UTF-8. The value must not nest deeper than `refuseUnsafe` lets
 * through.
 */
export function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value);
  let bytes = json.length;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    // A surrogate pair is two units and four bytes: two for each.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

interface ValueCheck {
  path: string;
  rules: KeyRules;
  /** Bytes of JSON that what comes may have at least. */
  left: number;
}

// What is too large is left as soon as that is known: the rest of it is not looked at.
function checkValue(value: unknown, walk: ValueCheck, depth: number): void {
  walk.left -= typeof value === 'string' ? value.length : 1;
  if (walk.left < 0) throw tooLargeError(walk.path);
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw invalidRequest(walk.path, `must not nest deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const member of value) checkValue(member, walk, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    assertSafeKey(key, walk.path, walk.rules);
    walk.left -= key.length;
    checkValue((value as Record<string, unknown>)[key], walk, depth + 1);
  }
}

function tooLargeError(path: string): DomainError {
  return invalidRequest(path, `must not exceed ${MAX_META_BYTES / 1024} KiB as JSON`);
}
