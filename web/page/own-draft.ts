import { saveValue, loadValue } from './keep.ts';

const OWN = `parlance:draft:${location.pathname}`;
let last = '';

/** Reads the draft of this tab; a new tab reads the draft that any tab wrote last. */
export function loadDraft(): string {
  last = readTabDraft() ?? loadValue('draft', '');
  return last;
}

/** Stores the draft for this tab, and for new tabs of the conversation. */
export function saveDraft(text: string): void {
  try {
    sessionStorage.setItem(OWN, text);
  } catch {
    // Then all tabs share one.
  }
  // Sending this draft does not remove a newer one of another tab.
  if (text !== '' || loadValue('draft', '') === last) saveValue('draft', text === '' ? null : text);
  last = text;
}

function readTabDraft(): string | null {
  try {
    return sessionStorage.getItem(OWN);
  } catch {
    return null;
  }
}
