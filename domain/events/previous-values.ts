/** Longer values, as JSON, are left out. */
const MAX_CHARACTERS = 4_096;

/**
 * Returns the earlier values of the fields that differ (spec 7.6). A field that was absent is null.
 */
export function previousValues(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const fields = Object.keys({ ...before, ...after }).filter((field) => field !== 'updatedAt');
  const changed = fields.flatMap((field): [string, unknown][] => {
    const earlier = JSON.stringify(before[field] ?? null);
    if (earlier === JSON.stringify(after[field] ?? null) || earlier.length > MAX_CHARACTERS) return [];
    return [[field, before[field] ?? null]];
  });
  return Object.fromEntries(changed);
}
