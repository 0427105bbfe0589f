import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../src/index.ts';
import type { Client } from '../src/index.ts';

const HEARTBEAT = ': alive\nid: 1-1\n\nevent: heartbeat\ndata: {}\n\n';

/**
 * Starts a server that responds to each request with the next text as a stream, and with 503 when
 * no text is left.
 */
async function streaming(...texts: string[]): Promise<{ client: Client; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    const text = texts.shift();
    response.writeHead(text === undefined ? 503 : 200, { 'content-type': 'text/event-stream' });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ url, token: 'plk_x' }), paths };
}

test('a message whose text has line or paragraph separators of Unicode is not lost', async () => {
  const text = 'urgent\u2028please call me\u2029\u0085\u000b\u000cagain';
  const { client } = await streaming(`event: message\nid: 1-1\ndata: ${JSON.stringify({ text })}\n\n`);
  for await (const { data } of client.stream('c')) {
    expect(data).toEqual({ text });
    return;
  }
  expect.unreachable();
});

test('a stream yields events and no heartbeats', async () => {
  const message = (id: number) => `event: message\nid: ${id}-1\ndata: {"text":"${id}"}\n\n`;
  const { client } = await streaming(HEARTBEAT + message(1) + HEARTBEAT + HEARTBEAT + message(2));
  const events: string[] = [];
  for await (const { event } of client.stream('c')) {
    events.push(event);
    if (events.length === 2) break;
  }
  expect(events).toEqual(['message', 'message']);
});

test('a stream of changes reports each connection and ends when onReconnect throws', async () => {
  const data = { id: 'c', updatedAt: '2026-01-01', lastMessageAt: '2026-01-01' };
  const text = `retry: 1000\n\nevent: conversation\ndata: ${JSON.stringify(data)}\n\n${HEARTBEAT}`;
  const { client, paths } = await streaming(text, text);
  const seen: unknown[] = [];
  const read = async () => {
    const onOpen = () => seen.push('open');
    const onReconnect = (error: Error) => {
      throw error;
    };
    for await (const change of client.changes({ onOpen, onReconnect })) seen.push(change.data);
  };
  await expect(read()).rejects.toMatchObject({ status: 503 });
  expect(seen).toEqual(['open', data, 'open', data]);
  expect(new Set(paths)).toEqual(new Set(['/v2/conversations/stream']));
});
