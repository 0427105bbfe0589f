import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;

export type WorkflowHistory = ReturnType<typeof History.fromObject>;

/** Formats a workflow's history as readable JSON. */
export function formatHistory(history: object): string {
  const plain = History.toObject(History.fromObject(history), {
    longs: String,
    bytes: String,
    enums: String,
  });
  return JSON.stringify(plain, null, 2);
}

export function parseHistory(text: string): WorkflowHistory {
  return History.fromObject(JSON.parse(text));
}

/**
 * Returns a history as text, with its payloads decoded. JSON would show a payload as a list of
 * numbers, in which no text is found.
 */
export function toSearchableText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${toSearchableText(inner)}`)
    .join('\n');
}
