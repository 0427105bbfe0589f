import { getTexts } from '../texts/languages.ts';

/** BCP 47 tag of the language that the server chose. Dates use it too. */
export const LANGUAGE = document.documentElement.lang;

export const TEXTS = getTexts(LANGUAGE);
