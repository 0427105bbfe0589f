import type mongoose from 'mongoose';

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
