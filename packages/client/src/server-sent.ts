/** One server-sent event. Without data it only says how far the stream is. */
export interface ServerSent {
  event: string;
  data: string;
  id: string | undefined;
}

/** Reads server-sent events out of a text that comes in pieces. */
export function createEventReader(): (piece: string) => ServerSent[] {
  let begun = '';
  return (piece) => {
    const blocks = (begun + piece).replaceAll('\r\n', '\n').split('\n\n');
    begun = blocks.pop() ?? '';
    return blocks.map(parseEvent);
  };
}

function parseEvent(block: string): ServerSent {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const all = (name: string) => lines.filter(([, field]) => field === name).map(([, , value = '']) => value);
  return { event: all('event').at(-1) ?? 'message', data: all('data').join('\n'), id: all('id').at(-1) };
}
