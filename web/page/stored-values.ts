import type { Host } from './host.ts';

/** Each unsent message has its own name, so that tabs do not overwrite each other's messages. */
type Name = 'draft' | 'read' | 'sound' | 'notifications' | WaitingName;
export type WaitingName = `waiting:${string}`;
type Values = Record<string, unknown>;

const WAITING = 'waiting:';

let host: Host | undefined;
let values: Values | undefined;
/** Last values from the website. Differences to the next snapshot are changes of other tabs. */
let lastSnapshot: Values = {};
/** Removed names, which the website's next snapshot may still contain. */
const removed = new Set<string>();
/** Values that the browser refused to store. */
const memoryValues = new Map<string, string>();
let prefix = `parlance:${location.pathname}:`;

/** Many browsers block the storage of framed pages, so the website stores the values. */
export function useHostStorage(website: Host, known: object): void {
  host = website;
  lastSnapshot = { ...known };
  values = { ...known };
}

export function loadValue<T>(name: Name, fallback: T): T {
  if (values) return (values[name] as T | undefined) ?? fallback;
  try {
    const text = read(storageKey(name));
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Keeps the value in memory if storage is blocked. Null removes the value. */
export function saveValue(name: Name, value: unknown): void {
  if (values) {
    const { [name]: _, ...others } = values;
    values = value === null ? others : { ...others, [name]: value };
    if (value === null) removed.add(name);
    // Send only this value, because another tab may have written other values.
    host?.tell({ page: { [name]: value } });
    return;
  }
  if (value === null) erase(storageKey(name));
  else write(storageKey(name), JSON.stringify(value));
}

export function waitingNames(): WaitingName[] {
  const names = values ? Object.keys(values) : storedKeys().map((key) => key.slice(prefix.length));
  return names.filter((name): name is WaitingName => name.startsWith(WAITING));
}

export function waitingName(key: string): WaitingName {
  return `${WAITING}${key}`;
}

/** Calls `changed` when another tab may have changed the unsent messages. */
export function watchWaiting(changed: () => void): void {
  if (!host) {
    addEventListener('storage', ({ key }) => {
      if (key === null || key.startsWith(prefix + WAITING)) changed();
    });
    return;
  }
  host.watch(({ page }) => {
    if (page && applySnapshot(page)) changed();
  });
}

/** Returns whether other tabs changed unsent messages. */
function applySnapshot(now: Values): boolean {
  const waiting = (one: Values) => Object.keys(one).filter((name) => name.startsWith(WAITING));
  const come = waiting(now).filter((name) => !removed.has(name) && !(name in (values ?? {})));
  const gone = waiting(lastSnapshot).filter((name) => !(name in now) && name in (values ?? {}));
  lastSnapshot = now;
  const known = [...Object.entries(values ?? {}), ...come.map((name) => [name, now[name]] as const)];
  values = Object.fromEntries(known.filter(([name]) => !gone.includes(name)));
  return come.length + gone.length > 0;
}

/** Draft that this tab loaded or wrote last. */
let draft = '';

export const currentDraft = (): string => draft;

/** A new tab reads the draft that any tab wrote last. */
export function loadDraft(): string {
  draft = readTabDraft() ?? loadValue('draft', '');
  return draft;
}

export function saveDraft(text: string): void {
  writeTabDraft(text);
  // Sending this draft does not remove a newer draft of another tab.
  if (text !== '' || loadValue('draft', '') === draft) saveValue('draft', text === '' ? null : text);
  draft = text;
}

function readTabDraft(): string | null {
  try {
    return sessionStorage.getItem(`${prefix}draft`);
  } catch {
    return null;
  }
}

function writeTabDraft(text: string): void {
  try {
    sessionStorage.setItem(`${prefix}draft`, text);
  } catch {
    // Without session storage all tabs share one draft.
  }
}

/** A started conversation gets a new key with its first message. */
export function renameKey(slug: string): void {
  const next = `parlance:${location.pathname.replace(/[^/]+\/?$/, slug)}:`;
  if (next === prefix) return;
  if (values) prefix = next;
  else renameValues(next);
  writeTabDraft(draft);
}

function renameValues(next: string): void {
  const names: Name[] = ['draft', 'read', ...waitingNames()];
  const before = names.map((name) => [name, loadValue<unknown>(name, null)] as const);
  for (const name of waitingNames()) erase(storageKey(name));
  prefix = next;
  for (const [name, value] of before)
    if (value !== null && loadValue<unknown>(name, null) === null) saveValue(name, value);
}

function storageKey(name: Name): string {
  return name === 'sound' || name === 'notifications' ? `parlance:${name}` : prefix + name;
}

function storedKeys(): string[] {
  const keys = new Set(memoryValues.keys());
  try {
    for (const key of Object.keys(localStorage)) keys.add(key);
  } catch {
    // Private windows refuse access.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}

function read(key: string): string | null {
  return memoryValues.get(key) ?? localStorage.getItem(key);
}

function write(key: string, text: string): void {
  memoryValues.delete(key);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Private windows and full storages refuse writes.
    memoryValues.set(key, text);
  }
}

function erase(key: string): void {
  memoryValues.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // The value was not stored.
  }
}
