/** Visitor as identified and signed by the website (spec 13.4). */
export interface Visitor {
  email?: string | undefined;
  telephone?: string | undefined;
  name?: string | undefined;
  signature?: string | undefined;
}

export interface StoredKey {
  slug?: string;
  /** Values that the chat page stores. */
  page?: object;
}

/** Stores `value`, if given. Returns the stored value, or null if storage is blocked. */
export function accessStorage(
  storage: 'localStorage' | 'sessionStorage',
  name: string,
  value?: unknown,
): unknown {
  try {
    if (value !== undefined) window[storage].setItem(name, JSON.stringify(value));
    return JSON.parse(window[storage].getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Merges `part` into the visitor's stored values, or deletes all values if `part` is null. Only
 * reads without `part`. Returns the values.
 */
export function updateStoredKey(
  name: string,
  { signature = '' }: Visitor,
  part?: StoredKey | null,
): StoredKey {
  const { who, ...found } = (accessStorage('localStorage', name) ?? {}) as StoredKey & { who?: string };
  const { page = {}, ...others } = part ?? {};
  const isWaiting = ([key]: [string, unknown]) => key.startsWith(WAITING);
  const waiting = Object.entries(page).filter(isWaiting);
  const rest = Object.fromEntries(Object.entries(page).filter((one) => !isWaiting(one)));
  const known: StoredKey = { ...(who === signature && part !== null ? found : {}), ...others };
  known.page = { ...known.page, ...rest };
  if (part !== undefined) accessStorage('localStorage', name, { ...known, who: signature });
  if (part === null) for (const key of waitingKeys(name)) forget(key);
  // One key per message, because another tab may store messages at the same moment.
  for (const [key, value] of waiting as [string, unknown][]) {
    if (value === null) forget(`${name}:${key}`);
    else accessStorage('localStorage', `${name}:${key}`, { who: signature, value });
  }
  return { ...known, page: { ...known.page, ...loadUnsent(name, signature) } };
}

const WAITING = 'waiting:';

function waitingKeys(name: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${name}:${WAITING}`));
  } catch {
    return [];
  }
}

function loadUnsent(name: string, signature: string): object {
  const found = waitingKeys(name).map((key) => {
    const { who, value } = (accessStorage('localStorage', key) ?? {}) as { who?: string; value?: unknown };
    return [key.slice(name.length + 1), who === signature ? value : undefined];
  });
  return Object.fromEntries(found.filter(([, value]) => value)) as object;
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // The value was not stored.
  }
}
