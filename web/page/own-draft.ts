import { keep, kept } from './keep.ts';

const OWN = `parlance:draft:${location.pathname}`;
let last = '';

/** Reads the draft of this tab; a new tab reads the draft that any tab wrote last. */
export function keptDraft(): string {
  last = own() ?? kept('draft', '');
  return last;
}

/** Stores the draft for this tab, and for new tabs of the conversation. */
export function keepDraft(text: string): void {
  try {
    sessionStorage.setItem(OWN, text);
  } catch {
    // Then all tabs share one.
  }
  // Sending this draft does not remove a newer one of another tab.
  if (text !== '' || kept('draft', '') === last) keep('draft', text === '' ? null : text);
  last = text;
}

function own(): string | null {
  try {
    return sessionStorage.getItem(OWN);
  } catch {
    return null;
  }
}
