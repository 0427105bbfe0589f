import { en } from '../texts/en.ts';
import type { Texts } from '../texts/en.ts';

/** BCP 47 tag of the page's language. */
export let LANGUAGE = 'en';

/** Read while rendering, because the page sets its language before the first rendering. */
export let TEXTS: Texts = en;

export function setTexts(tag: string, texts: Texts): void {
  LANGUAGE = tag;
  TEXTS = texts;
}
