import type { DomainError } from './errors.ts';
import { invalidRequest } from './errors.ts';

/** Limit of `meta` as JSON (spec 2.9). */
export const MAX_META_BYTES = 16 * 1024;

const MAX_DEPTH = 50;

// The first three reach into prototypes. BSON takes an object with `_bsontype` for a BSON type.
const RESERVED = ['__proto__', 'constructor', 'prototype', '_bsontype'];

interface FreeForm {
  meta?: Record<string, unknown> | null | undefined;
  settings?: Record<string, unknown> | null | undefined;
}

interface KeyRules {
  /** A filter would read a dot as a path. */
  dots: 'refused' | 'allowed';
}

/** Throws DomainError `invalid_request` for an unsafe key (spec 2.9). */
export function assertSafeKey(key: string, path: string, { dots }: KeyRules = { dots: 'refused' }): void {
  if (RESERVED.includes(key)) throw invalidRequest(path, `the key "${key}" is not allowed`);
  if (key.startsWith('$')) throw invalidRequest(path, `a key must not begin with "$"`);
  if (key.includes('\0')) throw invalidRequest(path, 'a key must not contain a NUL character');
  if (dots === 'refused' && key.includes('.')) throw invalidRequest(path, 'a key must not contain "."');
}

/** Throws DomainError `invalid_request` for an unsafe key at any level, or over 50 levels. */
export function assertSafeKeys(value: unknown, path: string, rules: KeyRules = { dots: 'refused' }): void {
  checkValue(value, { path, rules, left: Infinity }, 1);
}

/** Throws DomainError `invalid_request` for unsafe keys, over 50 levels or over 16 KiB as JSON. */
export function assertValidMeta(meta: Record<string, unknown>, path = 'meta'): void {
  checkValue(meta, { path, rules: { dots: 'refused' }, left: MAX_META_BYTES }, 1);
  if (jsonBytes(meta) > MAX_META_BYTES) throw tooLargeError(path);
}

export function assertValidFreeForm({ meta, settings }: FreeForm): void {
  if (meta) assertValidMeta(meta);
  if (settings) assertValidMeta(settings, 'settings');
}

/** Returns the UTF-8 size as JSON. Check the nesting first. */
export function jsonBytes(value: unknown): number {
  const json = JSON.stringify(value);
  let bytes = json.length;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    // A surrogate pair is two units and four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

interface ValueCheck {
  path: string;
  rules: KeyRules;
  /** Bytes left, counted by a lower bound of the JSON size. */
  left: number;
}

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
