/** The named fields of a record that are there, in the order in which they are named. */
export function pick<T extends object, K extends keyof T>(record: T, fields: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const field of fields) if (record[field] !== undefined) picked[field] = record[field];
  return picked as Pick<T, K>;
}
