import { en } from '../texts/en.ts';
import type { Texts } from '../texts/en.ts';

/** Read while rendering, because a page sets its language after its modules are loaded. */
export let TEXTS: Texts = en;

export function setTexts(texts: Texts): void {
  TEXTS = texts;
}

/** Returns the language of the page as a BCP 47 tag. */
export function getLanguage(): string {
  return document.documentElement.lang;
}
