import { NO_VISIBLE_CHARACTER, isBlank } from '../blank.ts';
import { invalidRequest } from '../refusal.ts';
import type { ActionInput, ItemInput } from './actions-and-items.ts';

/** Texts of a message that people are shown. */
interface MessageTexts {
  text?: string;
  items?: ItemInput[] | null | undefined;
  actions?: ActionInput[] | null | undefined;
}

/**
 * Throws DomainError `invalid_request` for a text, the title of an item or the label of a button
 * that consists of invisible characters: people would see an empty bubble or button.
 */
export function assertVisibleText({ text, items, actions }: MessageTexts): void {
  if (text !== undefined) assertVisible(text, 'text');
  assertVisibleLabels(actions, 'actions');
  items?.forEach((item, at) => {
    assertVisible(item.title, `items.${at}.title`);
    assertVisibleLabels(item.actions, `items.${at}.actions`);
  });
}

function assertVisibleLabels(actions: ActionInput[] | null | undefined, path: string): void {
  actions?.forEach(({ text }, at) => {
    assertVisible(text, `${path}.${at}.text`);
  });
}

// An empty text has words of its own.
function assertVisible(text: string, path: string): void {
  if (text !== '' && isBlank(text)) throw invalidRequest(path, NO_VISIBLE_CHARACTER);
}
