import type { Host } from './host.ts';

/** What is kept of a conversation, and what the reader wishes for all of them. */
type Name = 'outbox' | 'draft' | 'read' | 'sound' | 'notifications';
type Values = Partial<Record<Name, unknown>>;

/** Where it is kept: by this browser for this page or, in a widget, by the website around it. */
let host: Host | undefined;
let values: Values | undefined;
let prefix = `parlance:${location.pathname}:`;

/** Lets the website keep it: many browsers let no framed page keep anything itself. */
export function keepWith(website: Host, known: object): void {
  host = website;
  values = { ...known };
}

/** Reads it; the fallback where there is nothing or it is spoilt. */
export function kept<T>(name: Name, fallback: T): T {
  if (values) return (values[name] as T | undefined) ?? fallback;
  try {
    const text = localStorage.getItem(keyOf(name));
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Keeps it over reloads, where the browser lets us; else only as long as the page lives. */
export function keep(name: Name, value: unknown): void {
  if (values) {
    values = { ...values, [name]: value };
    // This one alone: another tab may have kept others meanwhile.
    host?.tell({ page: { [name]: value } });
    return;
  }
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // Private windows and full storages refuse; the page works without.
  }
}

/** A conversation that was only started has another key from its first message on. */
export function moveTo(slug: string): void {
  const next = `parlance:${location.pathname.replace(/[^/]+\/?$/, slug)}:`;
  if (values || next === prefix) return;
  const before = (['outbox', 'draft', 'read'] as const).map(
    (name) => [name, kept<unknown>(name, null)] as const,
  );
  prefix = next;
  for (const [name, value] of before)
    if (value !== null && kept<unknown>(name, null) === null) keep(name, value);
}

function keyOf(name: Name): string {
  return name === 'sound' || name === 'notifications' ? `parlance:${name}` : prefix + name;
}
