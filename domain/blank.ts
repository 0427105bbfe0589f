// Combining marks need a letter before them; U+2800 is the braille blank.
const BLANK = /^[\s\u2800\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}]*$/u;

/** The words of an error for a text that is blank. */
export const NO_VISIBLE_CHARACTER = 'must have a visible character';

/** Returns whether a text shows nothing: no characters, or only blanks and invisible ones. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
