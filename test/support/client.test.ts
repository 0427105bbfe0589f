import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { client } from './client.ts';
import type { ApiClient } from './client.ts';

/** The responses to the next requests, in order. */
let responses: RequestListener[] = [];
let requests: { method: string | undefined; key: string | undefined }[] = [];
let caller: ApiClient;

const server = createServer((request, response) => {
  requests.push({ method: request.method, key: request.headers['idempotency-key'] as string | undefined });
  responses.shift()?.(request, response);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  caller = client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token');
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const respond = (status: number, body?: object) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(status, { 'retry-after': '3600' }).end(body && JSON.stringify(body));
const unavailable = respond(503, { code: 'unavailable' });
const reset: RequestListener = ({ socket }) => socket.resetAndDestroy();

test('the API client repeats a post with the same Idempotency-Key while the API is unavailable, and waits at most a second', async () => {
  responses = [unavailable, reset, respond(201, { id: 'a' })];
  expect(await caller.post('/messages', {})).toMatchObject({ status: 201, body: { id: 'a' } });
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map(({ key }) => key))).toEqual(
    new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]),
  );
});

test('the API client repeats a read without an Idempotency-Key after its connection was reset', async () => {
  responses = [reset, respond(200, { id: 'a' })];
  expect((await caller.get('/messages/a')).status).toBe(200);
  expect(requests).toEqual(Array(2).fill({ method: 'GET', key: undefined }));
});

test('a deletion that the API client repeats succeeds although the record is missing', async () => {
  responses = [reset, respond(404), respond(404)];
  expect((await caller.request('DELETE', '/forms/a')).status).toBe(204);
  expect((await caller.request('DELETE', '/forms/a')).status).toBe(404);
});

test('the API client sends no Idempotency-Key for a secret, whose replayed response would lack the secret', async () => {
  responses = [unavailable, respond(201)];
  expect((await caller.post('/users/a/apikeys', {})).status).toBe(201);
  expect(requests.map(({ key }) => key)).toEqual([undefined, undefined]);
});

test('the API client does not repeat a request to a paused conversation', async () => {
  responses = [respond(503, { code: 'paused' })];
  expect((await caller.post('/messages', {})).status).toBe(503);
});

test('a single attempt of the API client has no Idempotency-Key and ends with the first 503 or reset connection', async () => {
  responses = [unavailable, reset];
  expect((await caller.once.post('/messages', {})).status).toBe(503);
  await expect(caller.once.post('/messages', {})).rejects.toThrow('fetch failed');
  expect(requests).toEqual(Array(2).fill({ method: 'POST', key: undefined }));
});
