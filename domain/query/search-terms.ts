import { canonicalEmail } from '../email.ts';
import { splitChunks, expandReadings, truncateWord, splitWords, buildSearchPairs } from './search-words.ts';

/** Alternative readings: a record matches if every prefix of one reading starts a word. */
export type SearchTerm = readonly (readonly string[])[];

const NUMBER = /(?<![\p{L}\p{N}])\+?\(?\d[\d ()./-]*\d(?![\p{L}\p{N}])/gu;
const MIN_DIGITS = 5;
/** Minimum digits to find a number by its end. */
const MIN_END = 4;
/** Prefixes that are dialled only within a country. */
const DIALLED = ['00', '0', '06', '8', '80'];
/** Bounded, because the beginning of a longer text suffices. */
const MAX_PREFIXES = 16;

/** Makes a telephone number one term (spec 5.10). */
export function searchTerms(given: string): SearchTerm[] {
  const text = given.replace(/\S+@\S+/g, (email) => canonicalEmail(email) ?? email);
  const numbers = [...text.matchAll(NUMBER)]
    .map(([number]) => number)
    .filter((number) => extractDigits(number).length >= MIN_DIGITS);
  const rest = numbers.reduce((others, number) => others.replace(number, ' '), text);
  const terms = [...splitChunks(rest).map(buildTerm), ...numbers.map(numberTerm)];
  const distinct = new Map(terms.map((term) => [JSON.stringify(term), term]));
  return [...distinct.values()].filter((term) => term.length > 0);
}

function buildTerm(chunk: string): SearchTerm {
  return expandReadings(chunk)
    .map((reading) => splitWords(reading).flatMap((word) => buildSearchPairs(word) ?? [truncateWord(word)]))
    .filter((prefixes) => prefixes.length > 0)
    .map((prefixes) => [...new Set(prefixes)].slice(0, MAX_PREFIXES));
}

function numberTerm(text: string): SearchTerm {
  const groups = [...new Set(text.match(/\d+/g) ?? [])].slice(0, MAX_PREFIXES);
  const whole = [text, text.replace('(0)', '')].map((number) => extractDigits(number));
  const undialled = whole.flatMap((digits) =>
    DIALLED.filter((dialled) => digits.startsWith(dialled)).map((dialled) => digits.slice(dialled.length)),
  );
  const ends = [...whole, ...undialled].filter((digits) => digits.length >= MIN_END).map(truncateWord);
  return [groups, ...[...new Set(ends)].map((end) => [end])];
}

function extractDigits(text: string): string {
  return text.replace(/\D/g, '');
}
