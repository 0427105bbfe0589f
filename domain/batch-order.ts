const ID = /[0-9a-f]{24}/g;
/** Fields whose equal values mean the same conversation or contact. */
const NAMING = new Set(['conversation', 'contact', 'externalId', 'email', 'telephone']);
const MAX_DEPTH = 4;

/**
 * Returns texts that two lines of a batch share if they name the same record: ids in the path, and
 * the ids and identifiers of conversations and contacts in the body (spec 2.11).
 */
export function recordKeys(path: string, body: unknown): Set<string> {
  const keys = new Set(path.match(ID) ?? []);
  addKeys(keys, body, 0);
  return keys;
}

function addKeys(keys: Set<string>, value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && NAMING.has(name)) keys.add(part.replaceAll(/\s/g, '').toLowerCase());
    else addKeys(keys, part, depth + 1);
  }
}

/**
 * Returns a function that starts work after the earlier work with a common key has settled. Other
 * work starts at once.
 */
export function createKeyedOrder() {
  const latest = new Map<string, Promise<unknown>>();
  return async <T>(keys: ReadonlySet<string>, work: () => Promise<T>): Promise<T> => {
    const earlier = [...keys].flatMap((key) => latest.get(key) ?? []);
    const own = Promise.allSettled(earlier).then(work);
    const settled = own.catch(() => undefined);
    for (const key of keys) latest.set(key, settled);
    try {
      return await own;
    } finally {
      for (const key of keys) if (latest.get(key) === settled) latest.delete(key);
    }
  };
}
