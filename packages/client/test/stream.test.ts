import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../src/index.ts';

const HEARTBEAT = ': alive\nid: 1-1\n\nevent: heartbeat\ndata: {}\n\n';

test('a stream yields events and no heartbeats', async () => {
  const message = (id: number) => `event: message\nid: ${id}-1\ndata: {"text":"${id}"}\n\n`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(HEARTBEAT + message(1) + HEARTBEAT + HEARTBEAT + message(2));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'plk_x',
  });
  const events: string[] = [];
  for await (const { event } of client.stream('c')) {
    events.push(event);
    if (events.length === 2) break;
  }
  expect(events).toEqual(['message', 'message']);
});
