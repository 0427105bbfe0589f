const PREFIX = `parlance:${location.pathname}:`;

/**
 * Reads what this browser keeps for this conversation; the fallback where there is nothing or it is
 * spoilt.
 */
export function kept<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Keeps it over reloads, where the browser lets us; else only as long as the page lives. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full storages refuse; the page works without.
  }
}
