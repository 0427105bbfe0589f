import { createClient } from '@parlance/client';
import type { Client, StreamEvent } from '@parlance/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser, ownApi } from '../support/shared-servers.ts';
import type { OwnApi } from '../support/shared-servers.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

let product: OwnApi;
let proxy: TcpProxy;
let parlance: Client;

beforeAll(async () => {
  product = await ownApi('client_stream');
  proxy = await startTcpProxy({ port: Number(new URL(product.origin).port) });
  // A restarted process is slow to become ready on a busy machine.
  const retryForMs = 600_000;
  parlance = createClient({ url: `http://127.0.0.1:${proxy.port}`, token: product.token, retryForMs });
});

afterAll(async () => {
  await proxy.close();
  await product.close();
});

/** Follows a new conversation and collects its events. */
async function follow(client: Client, options: { after?: number } = {}) {
  const { id } = await client.call('POST /conversations', { body: {} });
  const end = new AbortController();
  const heard: StreamEvent[] = [];
  const reconnects: unknown[] = [];
  const onReconnect = (error: unknown) => reconnects.push(error);
  const over = (async () => {
    for await (const one of client.stream(id, { signal: end.signal, onReconnect, ...options }))
      heard.push(one);
  })().catch((error: unknown) => error);
  const texts = () =>
    heard.flatMap(({ event, data }) => (event === 'message' && 'text' in data ? [data.text] : []));
  const says = (text: string) =>
    client.call('POST /conversations/{id}/messages', { path: { id }, body: { text } });
  return { id, heard, texts, says, reconnects, over, end: () => end.abort(new Error('left')) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `message ${at + 1}`);

describe('a stream', () => {
  test('a stream of the client returns every message once and in order across disconnections and killed API processes', async () => {
    const conversation = await follow(parlance);
    await eventually(() => conversation.heard.length > 0);
    let restarted = Promise.resolve();
    for (const [at, text] of numbers(30).entries()) {
      await conversation.says(text);
      if (at % 10 === 4) {
        proxy.weather({ kind: 'cut' });
        proxy.weather({ kind: 'clear' });
      }
      if (at === 9 || at === 19) {
        await restarted;
        await product.kill();
        restarted = product.restart();
      }
    }
    await restarted;
    await eventually(() => conversation.texts().length >= 30);
    expect(conversation.texts()).toEqual(numbers(30));
    expect(conversation.reconnects.length).toBeGreaterThanOrEqual(3);
    conversation.end();
    expect(await conversation.over).toEqual(new Error('left'));
  });

  test('a stream of the client starts after the given sequence', async () => {
    const { id } = await parlance.call('POST /conversations', {
      body: { messages: numbers(5).map((text) => ({ text })) },
    });
    const texts: string[] = [];
    for await (const { event, data } of parlance.stream(id, { after: 2 })) {
      if (event === 'message' && 'text' in data) texts.push(data.text);
      if (texts.length === 3) break;
    }
    expect(texts).toEqual(numbers(5).slice(2));
  });

  test('a stream of the client ends with the refusal when the conversation is deleted or the key is revoked', async () => {
    const conversation = await follow(parlance);
    await eventually(() => conversation.heard.length > 0);
    await parlance.call('DELETE /conversations/{id}', { path: { id: conversation.id } });
    expect(await conversation.over).toMatchObject({ status: 404, code: 'not_found' });
    const agent = await newUser(product, { role: 'agent' });
    const other = await follow(createClient({ url: product.origin, token: agent.token }));
    await eventually(() => other.heard.length > 0);
    await product.admin.request('DELETE', `/users/${agent.user}/apikeys/${agent.key}`);
    expect(await other.over).toMatchObject({ status: 401 });
  });
});
