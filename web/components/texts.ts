import { getTexts } from '../texts/languages.ts';

/** The language that the server chose for this reader, as a tag of BCP 47; dates are in it too. */
export const LANGUAGE = document.documentElement.lang;

/** What the page says, in that language. */
export const TEXTS = getTexts(LANGUAGE);
