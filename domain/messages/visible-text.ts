import { invalidRequest } from '../refusal.ts';
import type { ActionInput, ItemInput } from './actions-and-items.ts';

/**
 * A character that is seen. Blanks, controls, marks that need a letter before them, characters that
 * only join or direct others, and the fillers of Hangul and Braille are not.
 */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Texts of a message that people are shown. */
interface Shown {
  text?: string;
  items?: ItemInput[] | null | undefined;
  actions?: ActionInput[] | null | undefined;
}

/** Returns whether a text shows anything. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * Throws DomainError `invalid_request` for a text, the title of an item or the label of a button
 * that consists of invisible characters: people would see an empty bubble or button.
 */
export function refuseInvisible({ text, items, actions }: Shown): void {
  if (text !== undefined) refuse(text, 'text');
  refuseLabels(actions, 'actions');
  items?.forEach((item, at) => {
    refuse(item.title, `items.${at}.title`);
    refuseLabels(item.actions, `items.${at}.actions`);
  });
}

function refuseLabels(actions: ActionInput[] | null | undefined, path: string): void {
  actions?.forEach(({ text }, at) => {
    refuse(text, `${path}.${at}.text`);
  });
}

// An empty text has words of its own.
function refuse(text: string, path: string): void {
  if (text !== '' && !isVisible(text)) throw invalidRequest(path, 'must have a visible character');
}
