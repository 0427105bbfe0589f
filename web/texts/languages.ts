import { de } from './de.ts';
import { en } from './en.ts';
import type { Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';

const LANGUAGES = new Map<string, Texts>(Object.entries({ en, nl, de, fr, es }));

export function getTexts(tag: string): Texts {
  return LANGUAGES.get(getLanguage(tag)) ?? en;
}

/**
 * Returns the first of the wanted languages that has texts, as a BCP 47 tag such as `de-AT`.
 * Returns `en` if none has texts.
 */
export function chooseLanguage(wanted: readonly string[]): string {
  return wanted.map(canonicalTag).find((tag) => LANGUAGES.has(getLanguage(tag))) ?? 'en';
}

/** Returns the tags of an `Accept-Language` header, most wanted first. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((word) => word.trim());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1';
      return { tag, weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

function getLanguage(tag: string): string {
  return tag.split('-', 1)[0] ?? '';
}

function canonicalTag(given: string): string {
  try {
    return Intl.getCanonicalLocales(given.trim().replaceAll('_', '-'))[0] ?? '';
  } catch {
    return '';
  }
}
