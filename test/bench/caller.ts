import { Pool } from 'undici';

/**
 * A client of an API process, signed in if it was created with a token. `call` and `send` reject
 * unless the response is 2xx.
 */
export interface Caller {
  /** Returns the body, parsed as JSON. */
  call: (method: Method, path: string, body?: unknown) => Promise<any>;
  /**
   * Does not parse the response body, to save CPU time: the load shares the machine with the
   * product.
   */
  send: (method: Method, path: string, body?: unknown) => Promise<void>;
  close: () => Promise<void>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Creates a client that keeps its connections alive. `origin` is the API's address without /v2. */
export function createCaller(origin: string, token?: string): Caller {
  const pool = new Pool(origin, { connections: 128, keepAliveTimeout: 60_000 });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function exchange(method: Method, path: string, body: unknown): Promise<ArrayBuffer> {
    const text = typeof body === 'string';
    const answer = await pool.request({
      ...{ method, path: `/v2${path}` },
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': text ? 'text/plain' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: text ? body : JSON.stringify(body) }),
    });
    const bytes = await answer.body.arrayBuffer();
    if (answer.statusCode < 300) return bytes;
    throw new Error(`${method} ${path}: ${answer.statusCode} ${Buffer.from(bytes).toString()}`);
  }

  return {
    call: async (method, path, body) =>
      JSON.parse(Buffer.from(await exchange(method, path, body)).toString()),
    async send(method, path, body) {
      await exchange(method, path, body);
    },
    close: () => pool.close(),
  };
}
