import { ParlanceError, createClient } from '@parlance/client';
import type { Client } from '@parlance/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpProxy } from '../support/http-proxy.ts';
import type { HttpProxy } from '../support/http-proxy.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

let product: Product;
let proxy: HttpProxy;
let parlance: Client;

beforeAll(async () => {
  product = await sharedApi('client_calls');
  proxy = await startHttpProxy(product.origin);
  parlance = createClient({ url: proxy.origin, token: () => product.token });
});

afterAll(async () => {
  await proxy.close();
  await product.close();
});

const newConversation = async () => (await parlance.call('POST /conversations', { body: {} })).id;

describe('a call', () => {
  test('the result of a call has the type from the API description: a record, a list of records, or no content', async () => {
    const { id, status } = await parlance.call('POST /conversations', { body: { name: 'Ada' } });
    expect(status satisfies 'queued' | 'active' | 'closed' | undefined).toBe('queued');
    const path = { id };
    const one = await parlance.call('POST /conversations/{id}/messages', { path, body: { text: 'one' } });
    expect(one.sequence).toBe(1);
    const body = [{ text: 'two' }, { text: 'three' }];
    const more = await parlance.call('POST /conversations/{id}/messages', { path, body });
    expect(more.map(({ sequence }) => sequence)).toEqual([2, 3]);
    const found = await parlance.call('GET /conversations', { query: { name: 'Ada', limit: 5 } });
    expect(found.map((each) => each.id)).toEqual([id]);
    await parlance.call('DELETE /conversations/{id}', { path });
    await expect(parlance.call('GET /conversations/{id}', { path })).rejects.toMatchObject({ status: 404 });
  });

  test('a client accepts a URL with or without /v2, and a call accepts a text body', async () => {
    const own = createClient({ url: `${product.base}/`, token: product.token });
    const { id } = await own.call('POST /eventtypes', { body: { name: 'client.text' } });
    const saved = await own.call('PUT /eventtypes/{id}/jsonata', { path: { id }, body: '{ "a": 1 }' });
    expect(saved.jsonata).toBe('{ "a": 1 }');
  });

  test('a file is uploaded from a blob, bytes or a stream, with its type', async () => {
    // The proxy forwards no stream.
    const own = createClient({ url: product.origin, token: product.token });
    const conversation = await newConversation();
    const bytes = new TextEncoder().encode('%PDF-1.7\n');
    const bodies = [new Blob([bytes], { type: 'application/pdf' }), bytes, new Blob([bytes]).stream()];
    for (const body of bodies) {
      const query = { conversation, name: 'invoice.pdf' };
      const file = await own.call('POST /files', { query, body });
      expect(file).toMatchObject({ name: 'invoice.pdf', type: 'application/pdf', bytes: bytes.length });
      const path = { id: conversation };
      const sent = { path, body: { text: file.url, isBackchannel: false } };
      const message = await parlance.call('POST /conversations/{id}/messages', sent);
      expect(message).toMatchObject({ contentType: 'application/pdf' });
    }
  });

  test('a refused call rejects with code, status, fields and request id', async () => {
    const bad = { body: { name: 5 } } as unknown as { body: { name: string } };
    const refused = await parlance.call('POST /conversations', bad).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ParlanceError);
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', requestId: expect.any(String) });
    expect((refused as ParlanceError).details.map(({ path }) => path)).toEqual(['name']);
    await expect(createClient({ url: product.base }).call('GET /users/me')).rejects.toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });

  test('a call rejects a missing or unsafe path value before it sends a request', async () => {
    const before = proxy.requests.length;
    await expect(parlance.call('GET /users/{id}', { path: { id: '' } })).rejects.toThrow(
      'path.id is missing',
    );
    for (const id of ['.', '..']) {
      await expect(parlance.call('GET /users/{id}', { path: { id } })).rejects.toThrow('must not be');
    }
    expect(proxy.requests.length).toBe(before);
  });
});

describe('a call over an unreliable connection', () => {
  test('a call posts a message once although two responses are lost', async () => {
    const conversation = await newConversation();
    proxy.next('answer lost', 'answer lost');
    const before = proxy.requests.length;
    const { sequence } = await parlance.call('POST /messages', { body: { conversation, text: 'once' } });
    expect(sequence).toBe(1);
    const keys = proxy.requests.slice(before).map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(await parlance.call('GET /messages', { query: { conversation } })).toHaveLength(1);
  });

  test('a call that gets 429, 502, 503 or 504 is retried, after the time in Retry-After if given', async () => {
    proxy.next(
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 502 },
      { status: 503 },
      { status: 504 },
    );
    const before = proxy.requests.length;
    await parlance.call('GET /users/me');
    const made = proxy.requests.slice(before);
    expect(made).toHaveLength(5);
    expect(made[1]!.at - made[0]!.at).toBeGreaterThanOrEqual(999);
  });

  test('a call is not retried if Retry-After exceeds the remaining time', async () => {
    proxy.next({ status: 429, headers: { 'retry-after': '3600' }, body: '{"code":"bot_loop_consecutive"}' });
    const before = proxy.requests.length;
    await expect(parlance.call('GET /users/me')).rejects.toMatchObject({
      code: 'bot_loop_consecutive',
      retryAfterSeconds: 3600,
    });
    expect(proxy.requests.length).toBe(before + 1);
  });

  test('a call to an address without a server fails with the code unreachable after its retry time', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const nowhere = createClient({ url, retryForMs: 1_000 });
    await expect(nowhere.call('GET /users/me')).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('a call is retried after a response that is not JSON, such as a proxy page', async () => {
    proxy.next({ status: 200, body: '<html>' });
    expect((await parlance.call('GET /users/me')).id).toMatch(/^[0-9a-f]{24}$/);
  });

  test('a call below /auth is not retried, because a retry could use a refresh token twice', async () => {
    proxy.next({ status: 503 });
    const before = proxy.requests.length;
    await expect(parlance.call('POST /auth/token', { body: product.login })).rejects.toMatchObject({
      status: 503,
    });
    expect(proxy.requests.length).toBe(before + 1);
  });

  test('a call ends at once when its signal is aborted, also during the wait before a retry', async () => {
    proxy.next({ status: 503, headers: { 'retry-after': '20' } });
    const end = new AbortController();
    const before = proxy.requests.length;
    const call = parlance.call('GET /users/me', { signal: end.signal });
    await eventually(() => proxy.requests.length >= before + 1);
    end.abort(new Error('no longer needed'));
    await expect(call).rejects.toThrow('no longer needed');
    expect(proxy.requests.length).toBe(before + 1);
  });
});

describe('a list', () => {
  test('a list in order of sequence or of id begins at its offset and continues past offset 1,000', async () => {
    const id = await newConversation();
    for (let block = 0; block < 12; block++) {
      const body = Array.from({ length: 100 }, (_, at) => ({ text: `${block * 100 + at + 1}` }));
      await parlance.call('POST /conversations/{id}/messages', { path: { id }, body });
    }
    const texts: string[] = [];
    const query = { sort: 'sequence' };
    for await (const { text } of parlance.list('GET /conversations/{id}/messages', { path: { id }, query })) {
      texts.push(text);
    }
    expect(texts).toEqual(Array.from({ length: 1_200 }, (_, at) => String(at + 1)));
    const ids = new Set<string>();
    for await (const one of parlance.list('GET /messages', {
      query: { conversation: id, sort: '-id', limit: 500 },
    })) {
      ids.add(one.id);
    }
    expect(ids.size).toBe(1_200);
    const rest: string[] = [];
    for await (const { text } of parlance.list('GET /conversations/{id}/messages', {
      path: { id },
      query: { sort: 'sequence', offset: 990, limit: 100 },
    })) {
      rest.push(text);
    }
    expect(rest).toEqual(texts.slice(990));
  });

  test('a list in order of a field other than sequence and id throws after offset 1,000', async () => {
    const read = async () => {
      const conversation = (
        await parlance.call('GET /messages', { query: { organization: product.organization, text: '1200' } })
      )[0]!.conversation;
      let count = 0;
      const query = { conversation, sort: 'text', limit: 100 };
      for await (const _ of parlance.list('GET /messages', { query })) count++;
      return count;
    };
    await expect(read()).rejects.toThrow('ends behind offset 1000');
  });

  test('a list sends no further request after its reader has stopped', async () => {
    const before = proxy.requests.length;
    for await (const one of parlance.list('GET /messages', {
      query: { organization: product.organization, limit: 2 },
    })) {
      expect(one.id).toBeDefined();
      break;
    }
    expect(proxy.requests.length).toBe(before + 1);
  });
});
