import { keep, kept } from './keep.ts';

const OWN = `parlance:draft:${location.pathname}`;
let last = '';

/** Reads the draft of this tab; in a tab that had none yet, the one that was written last. */
export function keptDraft(): string {
  last = own() ?? kept('draft', '');
  return last;
}

/** Keeps it for this tab, and for whoever opens the conversation anew. */
export function keepDraft(text: string): void {
  try {
    sessionStorage.setItem(OWN, text);
  } catch {
    // Then all tabs share one.
  }
  // What another tab has written meanwhile stays when this one is sent.
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
