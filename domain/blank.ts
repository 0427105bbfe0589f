const BLANK = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u;

/** Returns whether a text shows nothing: no characters, or only blanks and invisible ones. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
