import { canonicalTag } from '../../domain/languages.ts';

/** Texts of a part of the console in the language of the page, and their English backup. */
interface Part {
  texts: object;
  english: object;
}

const parts = new Map<string, Part>();
let translations: Readonly<Record<string, object>> = {};

/**
 * BCP 47 tag of dates and numbers. Undefined means the default of the browser. Read while
 * rendering, as all texts are.
 */
export let LOCALE: string | undefined;

/**
 * Registers the English texts of a part of the console. `setTranslations` replaces the values of
 * this object, so a module must not read them before the first rendering.
 */
export function localize(name: string, texts: object): void {
  parts.set(name, { texts, english: overwrite({}, texts) });
  overwrite(texts, translations[name] ?? {});
}

/** Parts without a translation are English. A part that is loaded later is translated then. */
export function setTranslations(locale: string | undefined, given: Readonly<Record<string, object>>): void {
  LOCALE = locale;
  translations = given;
  for (const [name, { texts, english }] of parts) overwrite(texts, given[name] ?? english);
}

/** Returns the translation of a part that has no English texts in the console. */
export function getTranslation(name: string): object | undefined {
  return translations[name];
}

function overwrite(texts: object, values: object): object {
  const target = texts as Record<string, unknown>;
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (isGroup(value)) target[name] = overwrite(isGroup(target[name]) ? target[name] : {}, value);
    else target[name] = value;
  }
  return texts;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Dates and numbers have the forms of the browser's region, such as its clock of 24 hours. */
export function findLocale(language: string, wanted: readonly string[]): string {
  const known = wanted.map(canonicalTag).filter((tag) => tag !== '');
  const tags = known.map((tag) => new Intl.Locale(tag));
  const own = tags.find((tag) => tag.language === language && tag.region !== undefined);
  const region = tags.find((tag) => tag.region !== undefined)?.region;
  return own?.toString() ?? (region === undefined ? language : `${language}-${region}`);
}

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(LOCALE, options).format(value);
}

/** Returns `one` or `other` by the plural rules of a language. */
export function pluralOf(language: string): <T>(count: number, one: T, other: T) => T {
  const rules = new Intl.PluralRules(language);
  return (count, one, other) => (rules.select(count) === 'one' ? one : other);
}

/** Joins words as a sentence of the page's language does. */
export function joinWords(
  words: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(LOCALE, { type }).format(words);
}
