import { eventually } from './eventually.ts';

export interface Heard {
  event: string;
  id: string | undefined;
  data: any;
}

export interface StreamListener {
  status: number;
  headers: Headers;
  heard: Heard[];
  raw: () => string;
  /** Returns the texts of the messages received so far. */
  texts: () => string[];
  /** Resolves when the stream has ended, by the server, by a lost connection or by `close`. */
  ended: Promise<void>;
  /** Returns the first event that fulfils the condition, and waits for the event if necessary. */
  until: (condition: (one: Heard) => boolean) => Promise<Heard>;
  close: () => Promise<void>;
}

/** Opens a stream and collects its events. */
export async function listen(
  url: string,
  { token, lastEventId }: { token?: string; lastEventId?: string } = {},
): Promise<StreamListener> {
  const abort = new AbortController();
  const response = await fetch(url, {
    signal: abort.signal,
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
  });
  const heard: Heard[] = [];
  let raw = '';
  let begun = '';
  const ended = collect(response, (text) => {
    raw += text;
    const blocks = (begun + text).split('\n\n');
    begun = blocks.pop() ?? '';
    heard.push(...blocks.flatMap(parseEvents));
  });
  return {
    status: response.status,
    headers: response.headers,
    heard,
    raw: () => raw,
    texts: () => heard.filter(({ event }) => event === 'message').map(({ data }) => data.text),
    ended,
    until: (condition) => eventually(() => heard.find(condition), { everyMs: 20 }),
    async close() {
      abort.abort();
      await ended;
    },
  };
}

async function collect({ body }: Response, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      take(decoder.decode(chunk, { stream: true }));
    }
  } catch {
    // Closed by this client, or aborted.
  }
}

function parseEvents(block: string): Heard[] {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  // Skips heartbeats, which arrive every fifteen seconds.
  if (data === undefined || field('event') === 'heartbeat') return [];
  return [{ event: field('event') ?? '', id: field('id'), data: JSON.parse(data) }];
}
