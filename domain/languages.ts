/** Languages of the chat page, the console and mails, each by its own name. */
export const LANGUAGE_NAMES = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
} as const;

export type LanguageTag = keyof typeof LANGUAGE_NAMES;

/**
 * Returns the first of the wanted languages that has texts, as a BCP 47 tag such as `de-AT`.
 * Returns `en` if none has texts.
 */
export function chooseLanguage(wanted: readonly string[]): string {
  return wanted.map(canonicalTag).find((tag) => findLanguageTag(tag) !== undefined) ?? 'en';
}

/** Returns the language of a tag such as `de-AT` if it has texts. */
export function findLanguageTag(tag: string): LanguageTag | undefined {
  const [language = ''] = tag.split('-', 1);
  return Object.hasOwn(LANGUAGE_NAMES, language) ? (language as LanguageTag) : undefined;
}

/** Returns the language of the console that a user chose. Any program may write the settings. */
export function readChosenLanguage(settings: unknown): LanguageTag | undefined {
  const { console: own } = (settings ?? {}) as { console?: { language?: unknown } | null };
  return typeof own?.language === 'string' ? findLanguageTag(own.language) : undefined;
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

/** Returns an empty text for a text that is no tag. */
export function canonicalTag(given: string): string {
  try {
    return Intl.getCanonicalLocales(given.trim().replaceAll('_', '-'))[0] ?? '';
  } catch {
    return '';
  }
}
