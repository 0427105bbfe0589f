/** Formats objects as JSON, and a list of objects as its length. */
export function shortText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.every((one) => typeof one === 'string') ? value.join(', ') : String(value.length);
}
