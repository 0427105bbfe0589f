/** Controls that turn the direction of text: embeddings, overrides, isolates and marks. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;
/** Of these, the ones that show letters in another order than they are in. */
const OVERRIDES = /[\u202D\u202E]/g;
const SEEN = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A name, title, button or other label without controls of direction: it reads in the order in
 * which its characters are.
 */
export function label(text: string): string {
  return text.replace(DIRECTION, '');
}

/** A text as it is written, except that nothing in it reverses the order of its letters. */
export function body(text: string): string {
  return text.replace(OVERRIDES, '');
}

/** Whether there is anything in it to see: blanks and invisible characters are not. */
export function isSeen(text: string): boolean {
  return SEEN.test(text);
}

/** The name of somebody; undefined where there is none to be seen. */
export function nameOf(author: { name?: string } | undefined): string | undefined {
  return author?.name !== undefined && isSeen(author.name) ? label(author.name) : undefined;
}
