import type mongoose from 'mongoose'; /**
 * Changes to a record's top-level fields (spec 5): a value replaces the stored one whole, null
 * clears it.
 */
export type Patch<T> = { [K in keyof T]?: T[K] | null };

/** The database's words for a patch. `updatedAt` is set to now. */
export function toUpdateOperators<T>(patch: Patch<T>): {
  $set: Record<string, unknown>;
  $unset?: Record<string, 1>;
} {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  const cleared = entries.filter(([, value]) => value === null);
  const set = entries.filter(([, value]) => value !== null);
  return {
    $set: { ...Object.fromEntries(set), updatedAt: new Date() },
    ...(cleared.length > 0 ? { $unset: Object.fromEntries(cleared.map(([field]) => [field, 1])) } : {}),
  };
}

/**
 * What a filter says of a document that is still, in every field, as it was read: whoever changed
 * anything of it, by whatever way, it does not match any more.
 */
export function unchangedFilter(
  { schema }: { schema: mongoose.Schema },
  document: object | undefined,
): Record<string, object> {
  if (!document) return {};
  const fields = new Set([
    ...Object.keys(schema.paths).map((path) => path.split('.')[0] ?? path),
    ...Object.keys(document),
  ]);
  const values = document as Record<string, unknown>;
  return Object.fromEntries(
    [...fields].map((field) => [
      field,
      values[field] === undefined ? { $exists: false } : { $eq: values[field] },
    ]),
  );
}
