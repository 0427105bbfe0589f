/** Characters that JSON writes without a backslash. It escapes lone surrogates. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\u{10ffff}]*$/u;

export function charactersIn(value: unknown): number {
  if (typeof value === 'string') return textLength(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : 4;
  if (typeof value !== 'object' || value === null) return value === false ? 5 : 4;
  if (value instanceof Date) return 26;
  return Array.isArray(value) ? listLength(value) : objectLength(value);
}

function textLength(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : JSON.stringify(text).length;
}

function listLength(list: readonly unknown[]): number {
  let characters = Math.max(2, list.length + 1);
  for (const member of list) characters += charactersIn(member);
  return characters;
}

function objectLength(object: object): number {
  let characters = 1;
  for (const [key, member] of Object.entries(object)) {
    if (member !== undefined) characters += textLength(key) + 2 + charactersIn(member);
  }
  return Math.max(2, characters);
}
// Combining marks need a base letter to be visible. U+2800 is the braille blank.
const BLANK = /^[\s\u2800\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}]*$/u;

export const NO_VISIBLE_CHARACTER = 'must have a visible character';

export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Replaces spaces, line breaks and controls by single spaces. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Replaces the halves of characters, which no store keeps. */
export function replaceHalves(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
