import type mongoose from 'mongoose';
import type { NullableFields } from '../../domain/record-fields.ts';

/** A value replaces the whole top-level field; null clears it (spec 5). */
export type Patch<T> = NullableFields<T>;

/** Sets `updatedAt` to now. */
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

/** Returns a filter that matches only if no field has changed since the read (optimistic lock). */
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
