import { de } from './de.ts';
import { en } from './en.ts';
import type { Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';

/** The languages of the chat page, by the first part of their tags. */
const LANGUAGES = new Map<string, Texts>(Object.entries({ en, nl, de, fr, es }));

/** What the page says in the language of a tag that `chooseLanguage` answered. */
export function getTexts(tag: string): Texts {
  return LANGUAGES.get(getLanguage(tag)) ?? en;
}

/**
 * The first of the wanted languages that the page speaks, with its region, as a tag of BCP 47 like
 * `de-AT`; `en` where it speaks none of them. What is no tag is passed over.
 */
export function chooseLanguage(wanted: readonly string[]): string {
  return wanted.map(canonicalTag).find((tag) => LANGUAGES.has(getLanguage(tag))) ?? 'en';
}

/** The languages of an `Accept-Language` header, the most wanted first. */
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

/** The tag as it is written properly, of `de_AT` too; empty where it is none. */
function canonicalTag(given: string): string {
  try {
    return Intl.getCanonicalLocales(given.trim().replaceAll('_', '-'))[0] ?? '';
  } catch {
    return '';
  }
}
