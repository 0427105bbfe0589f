import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../src/index.ts';
import type { Client } from '../src/index.ts';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  text: string;
  /** Destroys the connection after the text. */
  isCut?: boolean;
}
interface Sent {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Starts a server that responds to the requests with these answers, in order. */
async function answering(...answers: Answer[]): Promise<{ client: Client; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      sent.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      const { status = 200, headers = {}, text, isCut } = answers.shift() ?? { status: 500, text: '' };
      response.writeHead(status, { 'content-type': 'application/x-ndjson', ...headers });
      if (isCut) response.write(text, () => response.destroy());
      else response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ url, token: 'plk_x' }), sent };
}

const result = (number: number) => `{"status":201,"headers":{},"body":{"id":"${number}"}}\n`;
const lines = [1, 2, 3].map((number) => ({ path: '/contacts', body: { externalId: `crm-${number}` } }));

async function collect(results: AsyncIterable<{ body?: unknown }>): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for await (const { body } of results) bodies.push(body);
  return bodies;
}

const all = [{ id: '1' }, { id: '2' }, { id: '3' }];

test('a batch is sent as newline-delimited JSON, strictly and with a key, and yields a result per line', async () => {
  const { client, sent } = await answering({ text: result(1) + result(2) + result(3) });
  expect(await collect(client.batch(lines))).toEqual(all);
  expect(sent[0]?.headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'idempotency-key': expect.stringMatching(/./),
    prefer: 'handling=strict',
  });
  expect(sent[0]?.body.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual(lines);
});

test('a batch whose connection is lost is sent again with its key, and yields each result once', async () => {
  const { client, sent } = await answering(
    { text: result(1) + result(2).slice(0, 9), isCut: true },
    { status: 429, headers: { 'retry-after': '0' }, text: '{"code":"rate_limited","message":"Two run."}' },
    { text: result(1) + result(2) + result(3) },
  );
  expect(await collect(client.batch(lines, { idempotencyKey: 'monday' }))).toEqual(all);
  expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['monday', 'monday', 'monday']);
});

test('a refused batch throws the refusal, and a batch without lines sends nothing', async () => {
  const { client, sent } = await answering({
    status: 413,
    text: '{"code":"too_large","message":"A batch has at most 10000 lines."}',
  });
  await expect(collect(client.batch(lines))).rejects.toMatchObject({ status: 413, code: 'too_large' });
  expect(await collect(client.batch([]))).toEqual([]);
  expect(sent).toHaveLength(1);
});

test('a batch whose signal aborts ends with the reason of the signal', async () => {
  const { client } = await answering({ text: result(1) + result(2) + result(3) });
  const end = new AbortController();
  const read = async () => {
    for await (const _ of client.batch(lines, { signal: end.signal })) end.abort(new Error('enough'));
  };
  await expect(read()).rejects.toThrow('enough');
});
