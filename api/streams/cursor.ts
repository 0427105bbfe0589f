/**
 * How far a listener has heard a conversation: the number of its last message and, where they know
 * it, the version up to which they were told what became of earlier ones. The id of every event is
 * one, so `Last-Event-ID` says all there is to know about a listener.
 */
export interface Cursor {
  number: number;
  version?: number;
}

const MARK = /^(0|[1-9]\d{0,14})(?:-(0|[1-9]\d{0,14}))?$/;

/** Reads a mark; undefined where the text is none. */
export function parseCursor(text: string): Cursor | undefined {
  const [, number, version] = MARK.exec(text) ?? [];
  if (number === undefined) return undefined;
  return { number: Number(number), ...(version === undefined ? {} : { version: Number(version) }) };
}

export function formatCursor({ number, version }: Cursor): string {
  return version === undefined ? String(number) : `${number}-${version}`;
}
