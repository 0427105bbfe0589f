import { invalidRequest } from './refusal.ts';

/** Bytes of a `meta` as JSON (contract 2). */
export const META_MAX_BYTES = 16 * 1024;

/** Levels of objects and arrays in free-form data; MongoDB stores a hundred of them, and ours are not the outermost. */
const MAX_DEPTH = 50;

// The first three reach into JavaScript's own objects; the last makes the store's serializer take data for one of its types.
const RESERVED = ['__proto__', 'constructor', 'prototype', '_bsontype'];

interface KeyRules {
  /** A dot would make a key read as a path when it is filtered by. */
  dots: 'refused' | 'allowed';
}

/**
 * Refuses, with DomainError `invalid_request`, a key that a caller may not name: `__proto__`, `constructor`, `prototype`, one
 * beginning with `$` and, unless allowed, one with a dot (contract 2).
 */
export function refuseKey(key: string, path: string, { dots }: KeyRules = { dots: 'refused' }): void {
  if (RESERVED.includes(key)) throw invalidRequest(path, `the key "${key}" is not allowed`);
  if (key.startsWith('$')) throw invalidRequest(path, `a key must not begin with "$"`);
  if (key.includes('\0')) throw invalidRequest(path, 'a key must not contain a NUL character');
  if (dots === 'refused' && key.includes('.')) throw invalidRequest(path, 'a key must not contain "."');
}

/** Refuses a free-form value with a key, at any level, that `refuseKey` refuses, or nested deeper than 50 levels. */
export function refuseUnsafe(value: unknown, path: string, rules: KeyRules = { dots: 'refused' }): void {
  visit(value, { path, rules, depth: 1 });
}

/** Refuses a `meta` that breaks contract 2: unsafe keys, too deep, or above 16 KiB as JSON. */
export function refuseMeta(meta: Record<string, unknown>, path = 'meta'): void {
  refuseUnsafe(meta, path);
  if (jsonBytes(meta) > META_MAX_BYTES) throw invalidRequest(path, 'must not exceed 16 KiB as JSON');
}

/** Bytes of a value as JSON in UTF-8. The value must not nest deeper than `refuseUnsafe` lets through. */
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

function visit(
  value: unknown,
  { path, rules, depth }: { path: string; rules: KeyRules; depth: number },
): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw invalidRequest(path, `must not nest deeper than ${MAX_DEPTH} levels`);
  const list = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (!list) refuseKey(key, path, rules);
    visit(member, { path, rules, depth: depth + 1 });
  }
}
