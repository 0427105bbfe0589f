import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../deploy/local/ports.ts';
import { findAccessProblem, openPages } from '../../../deploy/local/temporal-pages.ts';

describe("a request to Temporal's pages", () => {
  const linked = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
  };
  test.each<[string, string, Record<string, string>]>([
    ['the host is localhost', 'GET', { host: 'localhost:8233' }],
    ['the host is an IPv4 address of loopback', 'GET', { host: '127.0.0.1:8233' }],
    ['the host is the IPv6 address of loopback', 'GET', { host: '[::1]:8233' }],
    [
      'the request comes through a tunnel to another port',
      'GET',
      { host: 'localhost:9000', 'sec-fetch-site': 'none' },
    ],
    ['the host is the name in TEMPORAL_UI_URL', 'GET', { host: 'temporal.shop.example' }],
    [
      'the pages themselves send the request',
      'POST',
      { host: 'localhost:8233', origin: 'http://localhost:8233' },
    ],
    ['a user follows a link of a website', 'GET', { host: 'localhost:8233', ...linked }],
  ])("a request to Temporal's pages is permitted if %s", (_, method, headers) => {
    expect(findAccessProblem({ method, url: '/', headers }, ['temporal.shop.example'])).toBeUndefined();
  });

  const local = { host: 'localhost:8233' };
  test.each<[string, string, Record<string, string>]>([
    ['the host is the name of a website that resolves to loopback', 'GET', { host: 'evil.example:8233' }],
    ['the host ends like a permitted name', 'GET', { host: 'evil-localhost' }],
    ['the host begins with a permitted name', 'GET', { host: 'localhost.evil.example' }],
    ['the host has a permitted name as user', 'GET', { host: 'localhost:8233@evil.example' }],
    ['the host is missing', 'GET', {}],
    ['the origin is a website', 'POST', { ...local, origin: 'https://evil.example' }],
    ['the origin is another port of this machine', 'POST', { ...local, origin: 'http://localhost:3000' }],
    ['the origin is hidden', 'POST', { ...local, origin: 'null' }],
    [
      'an element of a website sends the request',
      'GET',
      { ...local, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' },
    ],
    ['a frame of a website sends the request', 'GET', { ...local, ...linked, 'sec-fetch-dest': 'iframe' }],
    ['a form of a website sends the request', 'POST', { ...local, ...linked }],
    [
      'a page on another port sends the request',
      'GET',
      { ...local, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' },
    ],
  ])("a request to Temporal's pages is refused if %s", (_, method, headers) => {
    expect(findAccessProblem({ method, url: '/', headers }, ['temporal.shop.example'])).toBeDefined();
  });

  test("a request to Temporal's pages is refused when its target is not a path", () => {
    expect(
      findAccessProblem({ method: 'GET', url: 'http://evil.example/', headers: local }, []),
    ).toBeDefined();
  });
});

describe("Temporal's pages", () => {
  test("Temporal's pages forward only permitted requests and return the responses of Temporal", async () => {
    const { port, seen } = await pagesBefore((incoming, response) => {
      void text(incoming).then((body) => {
        response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(`${incoming.url} ${body}`);
      });
    });
    const good = await ask(port, { path: '/api/v1?a=%20b', method: 'POST', body: 'words' });
    expect(good).toMatchObject({ status: 201, body: '/api/v1?a=%20b words' });
    expect(good.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(await ask(port, { host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(seen).toEqual(['/api/v1?a=%20b']);
  });

  test("Temporal's pages are proxied from a server on a port that browsers block", async () => {
    const { behind } = await pagesBefore((_, response) => response.end('pages'));
    const refused = fetch(`http://${behind.host}:${behind.port}/`);
    await expect(refused).rejects.toMatchObject({ cause: { message: 'bad port' } });
  });

  test("Temporal's pages respond 502 while Temporal is not running", async () => {
    const port = await freePort();
    const pages = await openPages({ port, names: [] });
    onTestFinished(pages.close);
    expect(await ask(port)).toMatchObject({
      status: 502,
      body: expect.stringContaining('Temporal is starting'),
    });
  });
});

/** Opens the pages in front of a server that stands in for Temporal. */
async function pagesBefore(handle: RequestListener) {
  const port = await freePort();
  const { behind, close } = await openPages({ port, names: [] });
  const seen: (string | undefined)[] = [];
  const server = createServer((incoming, response) => {
    seen.push(incoming.url);
    handle(incoming, response);
  });
  server.listen(behind.port, behind.host);
  await once(server, 'listening');
  onTestFinished(() => {
    close();
    server.close();
    server.closeAllConnections();
  });
  return { port, behind, seen };
}

async function ask(
  port: number,
  { path = '/', method = 'GET', host = `localhost:${port}`, body = '' } = {},
): Promise<{ status: number | undefined; body: string; headers: IncomingMessage['headers'] }> {
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer), headers: answer.headers };
}
