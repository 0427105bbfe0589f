import type { MessageDraft } from './message.ts';

/**
 * What makes two bot messages identical (spec 6.10): type, text, items and actions, as one text.
 * Equal content gives equal text whatever the order of its keys; the API hands on a digest of it as
 * `facts.fingerprint`.
 */
export function fingerprintText({
  type,
  text,
  items,
  actions,
}: Pick<MessageDraft, 'type' | 'text' | 'items' | 'actions'>): string {
  return JSON.stringify(sortKeys([type, text, items ?? [], actions ?? []]));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
