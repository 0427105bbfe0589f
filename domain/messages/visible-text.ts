import { NO_VISIBLE_CHARACTER, isBlank } from '../blank.ts';
import { invalidRequest } from '../refusal.ts';
import type { ActionInput, ItemInput } from './actions-and-items.ts';

/** Texts of a message that people are shown. */
interface Shown {
  text?: string;
  items?: ItemInput[] | null | undefined;
  actions?: ActionInput[] | null | undefined;
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
  if (text !== '' && isBlank(text)) throw invalidRequest(path, NO_VISIBLE_CHARACTER);
}
