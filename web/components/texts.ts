import { getTexts } from '../texts/languages.ts';

/** BCP 47 tag that the server chose. */
export const LANGUAGE = document.documentElement.lang;

export const TEXTS = getTexts(LANGUAGE);
