/** A stored record as the API shows it: `_id` is `id`, times are ISO 8601, what is absent is left out. */
export function shown({ _id, ...fields }: { _id: string }): Record<string, unknown> {
  const entries = Object.entries<unknown>(fields).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return {
    id: _id,
    ...Object.fromEntries(
      entries.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
    ),
  };
}
