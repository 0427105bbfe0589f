import { SPOKEN_TYPES } from '../messages/message.ts';
import type { MessageDraft } from '../messages/message.ts';
import { stripTags } from '../strip-tags.ts';
import { UNSPACED, foldText, isUnspaced } from './fold-text.ts';

const TWO_LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const EVERY_TWO_LETTERS = new RegExp(`[${Object.keys(TWO_LETTERS).join('')}]`, 'g');
/** Signs that people omit, as in O'Brien. */
const APOSTROPHES = /['’‘‛ʼʻʹ`´＇·]/g;
/** Has one reading. */
const PLAIN = /^[a-z\d]+$/i;
const BETWEEN_CHUNKS = /[^\p{L}\p{N}\p{M}'’‘‛ʼʻʹ`´＇·]+/u;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;
const MAX_CHARACTERS = 64;
const MAX_WORDS = 2000;
const MAX_DEPTH = 10;
/** A longer text is found by its beginning. */
const MAX_TEXT_CHARACTERS = 2_000;
const MAX_MESSAGE_WORDS = 200;
/** Minimum digits to find a telephone by its end. */
const MIN_DIGITS = 4;

/** Returns distinct words without case and accents (spec 5.10). */
export function searchWords(...values: unknown[]): string[] {
  return collectWords(values, MAX_WORDS);
}

function collectWords(values: readonly unknown[], max: number): string[] {
  const words = new Set<string>();
  for (const text of collectTexts(values, 0)) {
    for (const chunk of new Set(text.split(BETWEEN_CHUNKS))) {
      const stored = expandReadings(chunk).flatMap(splitWords).flatMap(storedWords);
      for (const word of stored) {
        if (words.size === max) return [...words];
        words.add(word);
      }
    }
  }
  return [...words];
}

export function contactWords(profile: { telephone?: string }): string[] {
  const digits = (profile.telephone ?? '').replace(/\D/g, '');
  const ends = Array.from({ length: Math.max(0, digits.length - MIN_DIGITS + 1) }, (_, at) =>
    digits.slice(at),
  );
  return [...new Set([...searchWords(profile), ...ends])];
}

interface SearchedFields {
  name?: string;
  forms: readonly { name: string; values: unknown }[];
}

export function conversationWords({ name, forms }: SearchedFields): string[] {
  const entered = forms.map((form) => [form.name, form.values]);
  return searchWords(name, entered);
}

/** Returns the words by which a message is found (spec 6.12), or undefined without words. */
export function messageWords(
  message: Pick<MessageDraft, 'type' | 'text' | 'contentType' | 'items' | 'results'>,
): string[] | undefined {
  const { type, items = [], results = [], contentType = 'text/plain' } = message;
  if (!SPOKEN_TYPES.includes(type) && type !== 'results') return undefined;
  const isText = contentType === 'text/plain' || contentType === 'text/html';
  const text = isText ? message.text.slice(0, MAX_TEXT_CHARACTERS) : '';
  const shown = contentType === 'text/html' ? stripTags(text) : text;
  const listed = items.map(({ title, description }) => [title, description]);
  const entered = results.map(({ formName, values }) => [formName, values]);
  const words = collectWords([shown, listed, entered], MAX_MESSAGE_WORDS);
  return words.length > 0 ? words : undefined;
}

/**
 * Returns every spelling: with apostrophes as spaces or omitted, and with letters such as ö folded
 * to one letter (o) or two (oe).
 */
export function expandReadings(chunk: string): string[] {
  if (PLAIN.test(chunk)) return [chunk.toLowerCase()];
  const apart = chunk.replace(APOSTROPHES, ' ');
  const joined = chunk.replace(APOSTROPHES, '');
  return [...new Set([apart, joined].flatMap((text) => [foldText(text), foldText(withTwoLetters(text))]))];
}

export function splitChunks(text: string): string[] {
  return text.split(BETWEEN_CHUNKS).filter((chunk) => chunk.replace(APOSTROPHES, '') !== '');
}

/** Splits a text into words, also where unspaced scripts meet other scripts. */
export function splitWords(reading: string): string[] {
  return reading.split(BETWEEN_WORDS).flatMap((word) => word.match(RUNS) ?? []);
}

export function truncateWord(word: string): string {
  return Array.from(word).slice(0, MAX_CHARACTERS).join('');
}

function withTwoLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(EVERY_TWO_LETTERS, (letter) => TWO_LETTERS[letter] ?? letter);
}

function collectTexts(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => collectTexts(member, depth + 1));
}
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

/**
 * Splits a word of an unspaced script into character pairs and the last character, so that a search
 * finds any part of the word.
 */
function storedWords(word: string): string[] {
  if (!isUnspaced(word)) return [truncateWord(word)];
  const characters = splitCharacters(word);
  return [...pairs(characters), decompose(characters.slice(-1))];
}

/** Returns character pairs, or the only character. Undefined for scripts with spaces. */
export function buildSearchPairs(word: string): string[] | undefined {
  if (!isUnspaced(word)) return undefined;
  const characters = splitCharacters(word);
  return characters.length > 1 ? pairs(characters) : [word];
}

// Folding decomposes Hangul, so compose it again.
function splitCharacters(word: string): string[] {
  return Array.from(word.normalize('NFC'));
}

// An incomplete Hangul syllable is a prefix of the complete one.
function decompose(characters: readonly string[]): string {
  return characters.join('').normalize('NFD');
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((second, at) => decompose([characters[at] ?? '', second]));
}
