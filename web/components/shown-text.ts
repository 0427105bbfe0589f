import { isBlank } from '../../domain/characters.ts';

/** Largest length of a message's text (spec 6.1). */
export const MAX_CHARACTERS = 32_000;

const DIRECTION = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]/g;
const OVERRIDES = /[\u202D\u202E]/g;

export function stripDirection(text: string): string {
  return text.replace(DIRECTION, '');
}

export function stripOverrides(text: string): string {
  return text.replace(OVERRIDES, '');
}

export function hasVisibleText(text: string): boolean {
  return !isBlank(text);
}

export function visibleName(author: { name?: string } | undefined): string | undefined {
  return author?.name !== undefined && hasVisibleText(author.name) ? stripDirection(author.name) : undefined;
}
