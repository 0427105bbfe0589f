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
  page?: Record<string, unknown>;
}

/** An unsent message. Anonymous visitors have no other name than the slug of their conversation. */
interface Unsent {
  who: string;
  slug?: string | undefined;
  value: { refused?: string };
}

const WAITING = 'waiting:';

/** Part of a signature, which names the visitor and opens nothing. */
const nameVisitor = ({ signature = '' }: Visitor) => signature.slice(0, 16);

/** Stores `value`, if given; null removes it. Returns the stored value, or null without storage. */
export function accessStorage(
  storage: 'localStorage' | 'sessionStorage',
  name: string,
  value?: unknown,
): unknown {
  try {
    if (value === null) window[storage].removeItem(name);
    else if (value !== undefined) window[storage].setItem(name, JSON.stringify(value));
    return JSON.parse(window[storage].getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Returns the visitor's values, with the unsent messages of the visitor's conversation. */
export function readStoredKey(name: string, visitor: Visitor): StoredKey {
  const known = findStored(name, visitor);
  const unsent = listUnsent(name).filter(([, one]) => isOwn(one, visitor, known.slug));
  const waiting = Object.fromEntries(unsent.map(([key, { value }]) => [key, value]));
  const [slug, draft] = (accessStorage('sessionStorage', name) ?? []) as string[];
  const own = slug === known.slug && { draft };
  return { ...known, page: { ...known.page, ...own, ...waiting } };
}

/**
 * Merges `part` into the visitor's values. A new slug takes over the unsent messages, also those
 * that the former slug refused. Removes the values of other visitors, except unsent messages.
 */
export function updateStoredKey(name: string, visitor: Visitor, { page = {}, ...part }: StoredKey): void {
  const known = findStored(name, visitor);
  const { slug = known.slug } = part;
  if (slug !== known.slug) {
    for (const [key, one] of listUnsent(name))
      if (isOwn(one, visitor, known.slug))
        saveUnsent(name, { [key]: { ...one.value, refused: undefined } }, { visitor, slug });
  }
  const rest = saveUnsent(name, page, { visitor, slug });
  // Each tab has its own draft. A new tab reads the draft that any tab wrote last.
  if ('draft' in page) accessStorage('sessionStorage', name, [slug, page['draft'] ?? '']);
  const next = { ...known, slug, page: { ...known.page, ...rest }, who: nameVisitor(visitor) };
  accessStorage('localStorage', name, next);
}

/**
 * Stores the unsent messages in `page`. Null removes a message. Returns the other values without an
 * empty draft: unlike null, it does not remove the draft of another tab.
 */
export function saveUnsent(
  name: string,
  page: Record<string, unknown>,
  { visitor, slug }: { visitor: Visitor; slug?: string | undefined },
): Record<string, unknown> {
  const who = nameVisitor(visitor);
  const rest: Record<string, unknown> = {};
  // One key per message, because another tab may store messages at the same moment.
  for (const [key, value] of Object.entries(page)) {
    const stored = value && { who, slug: who ? undefined : slug, value };
    if (key.startsWith(WAITING)) accessStorage('localStorage', `${name}:${key}`, stored);
    else if (value !== '') rest[key] = value;
  }
  return rest;
}

/** Returns the unsent messages of earlier anonymous visitors, by the slug of the conversation. */
export function listOrphans(name: string, visitor: Visitor): Record<string, Record<string, unknown>> {
  const { slug: current } = findStored(name, visitor);
  const found: Record<string, Record<string, unknown>> = {};
  for (const [key, one] of listUnsent(name)) {
    if (one.slug && !isOwn(one, visitor, current)) (found[one.slug] ??= {})[key] = one.value;
  }
  return found;
}

export function hasUnsent(page: Record<string, unknown> = {}): boolean {
  return Object.entries(page).some(
    ([key, value]) => key.startsWith(WAITING) && value && !(value as Unsent['value']).refused,
  );
}

function isOwn({ who, slug }: Unsent, visitor: Visitor, current: string | undefined): boolean {
  return who === nameVisitor(visitor) && slug === (who ? undefined : current);
}

function findStored(name: string, visitor: Visitor): StoredKey {
  const { who, ...found } = (accessStorage('localStorage', name) ?? {}) as StoredKey & { who?: string };
  return who === nameVisitor(visitor) ? found : {};
}

function listUnsent(name: string): [string, Unsent][] {
  const prefix = `${name}:${WAITING}`;
  const found: [string, Unsent][] = [];
  try {
    for (const key of Object.keys(localStorage)) {
      const one = key.startsWith(prefix) && (accessStorage('localStorage', key) as Unsent | null);
      if (one) found.push([key.slice(name.length + 1), one]);
    }
  } catch {
    // Private windows refuse access.
  }
  return found;
}
