/** Returns undefined if storage is full or blocked. */
function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function loadShared(name: string): string {
  return tryStorage(() => localStorage.getItem(name)) ?? '';
}

export function saveShared(name: string, text: string): void {
  tryStorage(() => (text === '' ? localStorage.removeItem(name) : localStorage.setItem(name, text)));
}

/** A new tab reads the draft that any tab wrote last. */
export function loadDraft(name: string): string {
  return tryStorage(() => sessionStorage.getItem(name)) ?? loadShared(name);
}

export function saveDraft(name: string, text: string): void {
  const before = tryStorage(() => sessionStorage.getItem(name)) ?? null;
  tryStorage(() => sessionStorage.setItem(name, text));
  // Clearing this draft must not remove a newer draft of another tab.
  if (text !== '' || before === null || loadShared(name) === before) saveShared(name, text);
}

const KEYS = 'parlance:console:keys';

/** Whether single keys are shortcuts. Users of speech input turn them off (WCAG 2.1.4). */
export function hasKeys(): boolean {
  return loadShared(KEYS) !== 'off';
}

export function setKeys(isOn: boolean): void {
  saveShared(KEYS, isOn ? '' : 'off');
}
