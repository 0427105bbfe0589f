import { parameterErrorAt } from './query-string.ts';
import type { Piece } from './values.ts';

const KEY = /^ *([\w.$-]+) *([=:])/;
/** Several fields before `=`: after `:` a comma may end a value. */
const FIELDS = /^ *([\w.$-]+(?:,[\w.$-]+)+) *(=)/;
const NEXT_KEY = /^, *[\w.$-]+ *:/;
const MAX_NESTING = 8;

export interface MemberEntry {
  key: string;
  value: Piece;
}

/** Parses `{k=v;k2,k3=v2}` or `{k: v, k2: v2}` (spec 9.2). */
export function memberEntries(piece: Piece): MemberEntry[] {
  const { name, text, at } = piece;
  if (!text.endsWith('}'))
    throw parameterErrorAt(name, at + text.length, 'conditions in braces must end with "}"');
  const inside = text.slice(1, -1);
  const sign = findKey(inside)?.[2];
  const entries: MemberEntry[] = [];
  for (let from = 0; from <= inside.length;) {
    const key = findKey(inside.slice(from));
    if (!key?.[1] || key[2] !== sign) {
      throw parameterErrorAt(name, at + 1 + from, `a key and "${sign ?? '='}" is expected here`);
    }
    const start = from + key[0].length;
    const end = findValueEnd(inside, {
      start,
      sign: sign ?? '=',
      errorAt: (where, rule) => parameterErrorAt(name, at + 1 + where, rule),
    });
    const raw = inside.slice(start, end);
    const skipped = sign === ':' ? raw.length - raw.trimStart().length : 0;
    const value = { name, text: sign === ':' ? raw.trim() : raw, at: at + 1 + start + skipped };
    entries.push({ key: key[1], value });
    from = end + 1;
  }
  assertUniqueKeys(entries, piece);
  return entries;
}

function findKey(text: string): RegExpExecArray | null {
  return KEY.exec(text) ?? FIELDS.exec(text);
}

interface ValueScan {
  start: number;
  sign: string;
  errorAt: (where: number, rule: string) => Error;
}

function findValueEnd(inside: string, { start, sign, errorAt }: ValueScan): number {
  const nests = /^ *!?[[{]/.test(inside.slice(start));
  let depth = 0;
  for (let at = start; at < inside.length; at += 1) {
    const character = inside[at] ?? '';
    if (nests && '[{'.includes(character)) depth += 1;
    if (nests && ']}'.includes(character)) depth -= 1;
    if (depth > MAX_NESTING) throw errorAt(at, `conditions nest ${MAX_NESTING} levels at most`);
    if (depth > 0) continue;
    if (sign === '=' ? character === ';' : character === ',' && NEXT_KEY.test(inside.slice(at))) return at;
  }
  return inside.length;
}

function assertUniqueKeys(entries: MemberEntry[], { name, at }: Piece): void {
  const keys = entries.map(({ key }) => key);
  const repeated = keys.find((key, n) => keys.indexOf(key) < n);
  if (repeated !== undefined)
    throw parameterErrorAt(name, at, `"${repeated}" must not be repeated in the braces`);
}
