import { loadPart } from '../components/version.ts';
import { chooseLanguage, findLanguageTag } from '../../domain/languages.ts';
import type { LanguageTag } from '../../domain/languages.ts';
import { findLocale, setTranslations } from './language.ts';
import type { LaterTexts, Shell } from './languages/catalog.ts';
import { loadShared, saveShared } from './storage.ts';

interface Loads {
  /** Texts of the first script. */
  shell: () => Promise<{ shell: Shell }>;
  later: () => Promise<{ texts: LaterTexts }>;
}

/** English is in the scripts of the screens. */
const LOADS: Readonly<Record<Exclude<LanguageTag, 'en'>, Loads>> = {
  nl: { shell: () => import('./languages/nl/shell.ts'), later: () => import('./languages/nl/index.ts') },
  de: { shell: () => import('./languages/de/shell.ts'), later: () => import('./languages/de/index.ts') },
  fr: { shell: () => import('./languages/fr/shell.ts'), later: () => import('./languages/fr/index.ts') },
  es: { shell: () => import('./languages/es/shell.ts'), later: () => import('./languages/es/index.ts') },
};

/** The last choice of the user on this browser, so that the page begins in its language. */
const KEY = 'parlance:console:language';

let applied: string | undefined;
let later = Promise.resolve();
let render: () => void = () => undefined;

/** `call` runs after the language of the page has changed. */
export function onLanguage(call: () => void): void {
  render = call;
}

/**
 * Sets the language of the page: the user's choice, else the first language of the browser that has
 * texts. Sets English if the texts cannot be loaded. Does not wait for the texts of the screens.
 */
export async function applyLanguage(choice = ''): Promise<void> {
  saveShared(KEY, choice);
  if (choice === applied) return;
  applied = choice;
  const wanted = [choice, ...navigator.languages];
  const set = (tag: LanguageTag, texts: Readonly<Record<string, object>> = {}) => {
    if (applied !== choice) return;
    document.documentElement.lang = tag;
    setTranslations(findLocale(tag, wanted), texts);
    render();
  };
  const tag = findLanguageTag(chooseLanguage(wanted)) ?? 'en';
  if (tag === 'en') {
    later = Promise.resolve();
    set(tag);
    return;
  }
  const first = loadPart(LOADS[tag].shell);
  later = Promise.all([first, loadPart(LOADS[tag].later)]).then(
    ([{ shell }, { texts }]) => set(tag, { shell, ...texts }),
    () => set('en'),
  );
  await first.then(
    ({ shell }) => set(tag, { shell }),
    () => later,
  );
}

/** Resolves when the texts of the screens are in the language of the page. */
export function whenTranslated(): Promise<void> {
  return later;
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
