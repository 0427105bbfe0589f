import { formatCursor } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/** The events of a conversation's stream (spec 5.12). */
export type StreamEvent = 'message' | 'typing' | 'conversation' | 'read';

/**
 * One server-sent event. With a mark as its id, a client that comes back names it in
 * `Last-Event-ID`.
 */
export function formatEvent(event: StreamEvent, data: unknown, mark?: Cursor): string {
  // JSON has no raw line breaks, so the data is always one line.
  return `event: ${event}\n${formatIdLine(mark)}data: ${JSON.stringify(data)}\n\n`;
}

/** The first words of a stream: how long a client waits before it comes back. */
export const OPENING = 'retry: 1000\n\n';

/**
 * Shows proxies and clients that the stream lives. The comment with the id is no event, but its id
 * counts as seen. The event is for a browser's EventSource, which shows no comments to its page.
 */
export function formatHeartbeat(mark: Cursor | undefined): string {
  return `: alive\n${formatIdLine(mark)}\nevent: heartbeat\ndata: {}\n\n`;
}

function formatIdLine(mark: Cursor | undefined): string {
  return mark ? `id: ${formatCursor(mark)}\n` : '';
}
