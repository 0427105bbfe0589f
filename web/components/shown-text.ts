import { isBlank } from '../../domain/characters.ts';

/** Controls that turn the direction of text: embeddings, overrides, isolates and marks. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;
/** The controls that show letters in reverse order. */
const OVERRIDES = /[\u202D\u202E]/g;

/**
 * Returns a name, title, button or other label without controls of direction: it reads in the order
 * of its characters.
 */
export function stripDirection(text: string): string {
  return text.replace(DIRECTION, '');
}

/** Returns a text without the controls that reverse the order of its letters. */
export function stripOverrides(text: string): string {
  return text.replace(OVERRIDES, '');
}

/** Returns whether a text has a visible character. */
export function hasVisibleText(text: string): boolean {
  return !isBlank(text);
}

/** Returns the name of an author; undefined if it is absent or invisible. */
export function visibleName(author: { name?: string } | undefined): string | undefined {
  return author?.name !== undefined && hasVisibleText(author.name) ? stripDirection(author.name) : undefined;
}
