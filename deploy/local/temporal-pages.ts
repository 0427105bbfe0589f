import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { isPortFree } from './ports.ts';

/** Unprivileged ports that all browsers refuse (fetch.spec.whatwg.org, "bad port"). */
const CLOSED_TO_BROWSERS = [2049, 3659, 4045, 6665, 6666, 6667, 6668, 6669];
const MOST_CONNECTIONS = 200;
const ATTEMPTS = 100;

export interface PagesAddress {
  host: string;
  port: number;
}

export interface Pages {
  /** Address at which Temporal must serve the pages. */
  behind: PagesAddress;
  close: () => void;
}

/**
 * Listens on `port` of 127.0.0.1 and forwards permitted requests (`findAccessProblem`) to
 * Temporal's own web server. That server accepts every `Host`, so it gets an address that browsers
 * refuse.
 */
export async function openPages({ port, names }: { port: number; names: string[] }): Promise<Pages> {
  const behind = await closedAddress();
  const server = createServer((request, response) => {
    const refusal = findAccessProblem(request, names);
    if (refusal === undefined) forward(request, response, behind);
    else rejectRequest(response, 403, refusal);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    behind,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Prefers a random loopback address, which only Linux has. */
async function closedAddress(): Promise<PagesAddress> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const host =
      attempt < ATTEMPTS / 2 ? `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}` : '127.0.0.1';
    const port = CLOSED_TO_BROWSERS[randomInt(CLOSED_TO_BROWSERS.length)] ?? 0;
    if (await isPortFree(port, host).catch(() => false)) return { host, port };
  }
  throw new Error(`none of the ports ${CLOSED_TO_BROWSERS.join(', ')} is free for Temporal's pages`);
}

function forward(request: IncomingMessage, response: ServerResponse, behind: PagesAddress): void {
  const { method, url, headers } = request;
  const upstream = sendRequest({ ...behind, method, path: url, headers });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  upstream.on('error', () => {
    if (response.headersSent) response.destroy();
    else rejectRequest(response, 502, 'Temporal is starting, or has ended. Try again in a moment.');
  });
  response.on('close', () => upstream.destroy());
  pipeline(request, upstream, () => undefined);
}

function rejectRequest(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${words}\n`);
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the reason to reject a request to Temporal's pages, or undefined. A DNS rebinding website
 * sends its own name as `Host`, and browsers mark cross-origin requests. `names` are permitted
 * besides loopback.
 */
export function findAccessProblem(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  names: readonly string[],
): string | undefined {
  const host = parseUrl(`http://${headers.host ?? ''}`);
  if (host === undefined || ![...LOOPBACK, ...names].includes(host.hostname))
    return "These are Temporal's pages of this machine: open them as localhost, or set TEMPORAL_UI_URL to their address.";
  if (!url.startsWith('/')) return 'The target of the request is not a path.';
  const { origin } = headers;
  if (origin !== undefined && parseUrl(origin)?.host !== host.host)
    return 'Requests from other origins are refused.';
  const isLink = method === 'GET' && headers['sec-fetch-dest'] === 'document';
  if (isFromElsewhere(headers['sec-fetch-site']) && !isLink) return 'Requests from other pages are refused.';
  return undefined;
}

/** Includes `same-site`: another port of the same host. */
function isFromElsewhere(site: string | string[] | undefined): boolean {
  return site === 'cross-site' || site === 'same-site';
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
