/** The events of a conversation's stream (contract 5). */
export type StreamEvent = 'message' | 'typing' | 'conversation';

/** One server-sent event. With an id, a client that comes back names it in `Last-Event-ID`. */
export function eventText(event: StreamEvent, data: unknown, id?: number): string {
  // JSON has no raw line breaks, so the data is always one line.
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The first words of a stream: how long a client waits before it comes back. */
export const OPENING = 'retry: 1000\n\n';

/** Keeps proxies and clients sure that the stream lives. Without data it is no event, but its id counts as seen. */
export function heartbeatText(id: number | undefined): string {
  return `: alive\n${id === undefined ? '' : `id: ${id}\n`}\n`;
}
