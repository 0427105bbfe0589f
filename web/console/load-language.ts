import { loadPart } from '../components/version.ts';
import { chooseLanguage, findLanguageTag } from '../../domain/languages.ts';
import type { LanguageTag } from '../../domain/languages.ts';
import { findLocale, setTranslations } from './language.ts';
import type { Catalog } from './languages/catalog.ts';
import { loadShared, saveShared } from './storage.ts';

type Load = () => Promise<{ texts: Catalog }>;

/** English is in the first script. */
const LOADS: Readonly<Record<Exclude<LanguageTag, 'en'>, Load>> = {
  nl: () => import('./languages/nl/index.ts'),
  de: () => import('./languages/de/index.ts'),
  fr: () => import('./languages/fr/index.ts'),
  es: () => import('./languages/es/index.ts'),
};

/** The last choice of the user on this browser, so that the page begins in its language. */
const KEY = 'parlance:console:language';

let applied: string | undefined;

/**
 * Sets the language of the page: the user's choice, else the first language of the browser that has
 * texts. Sets English if the texts cannot be loaded.
 */
export async function applyLanguage(choice = ''): Promise<void> {
  saveShared(KEY, choice);
  if (choice === applied) return;
  applied = choice;
  const wanted = [choice, ...navigator.languages];
  const tag = findLanguageTag(chooseLanguage(wanted)) ?? 'en';
  const found = tag === 'en' ? undefined : await loadPart(LOADS[tag]).catch(() => undefined);
  const language = found ? tag : 'en';
  document.documentElement.lang = language;
  setTranslations(findLocale(language, wanted), { ...found?.texts });
}

/** Sets the language of the last user of this browser, before the session is known. */
export function applyLastLanguage(): Promise<void> {
  return applyLanguage(loadShared(KEY));
}

/** Loads the page again in another language. Drafts are stored. */
export function changeLanguage(choice: string): void {
  saveShared(KEY, choice);
  location.reload();
}

/** The form to sign in has the language of the browser. */
export function forgetLanguage(): void {
  saveShared(KEY, '');
}
