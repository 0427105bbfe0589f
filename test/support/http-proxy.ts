import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The proxy's treatment of one request. */
export type Fate =
  | 'passed'
  /** The API handles the request, and the response is lost. */
  | 'answer lost'
  /** The proxy responds itself. */
  | { status: number; headers?: Record<string, string>; body?: string };

/** A loopback proxy in front of the API that can refuse requests and lose responses. */
export interface HttpProxy {
  origin: string;
  /** Sets the fates of the next requests, in order. Later requests are passed on. */
  next: (...fates: Fate[]) => void;
  /**
   * All requests, with the time of arrival in milliseconds of the monotonic clock and the
   * idempotency key.
   */
  requests: { at: number; method: string; path: string; key: string | undefined }[];
  close: () => Promise<void>;
}

/** Listens on a free loopback port and forwards to `origin`. */
export async function startHttpProxy(origin: string): Promise<HttpProxy> {
  const fates: Fate[] = [];
  const requests: HttpProxy['requests'] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'] as string | undefined;
    requests.push({ at: performance.now(), method, path: url, key });
    const fate = fates.shift() ?? 'passed';
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (typeof fate === 'object') {
        response.writeHead(fate.status, fate.headers).end(fate.body);
        return;
      }
      const { host: _, connection: __, 'content-length': ___, ...rest } = headers;
      const answer = await fetch(`${origin}${url}`, {
        method,
        headers: rest as Record<string, string>,
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      const headersOf = new Headers(answer.headers);
      if (fate === 'answer lost') {
        request.socket.destroy();
        return;
      }
      // `fetch` has already decompressed the body, so these headers no longer apply.
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headersOf.delete(name);
      response.writeHead(answer.status, Object.fromEntries(headersOf)).end(body);
    })().catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (...given) => void fates.push(...given),
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
