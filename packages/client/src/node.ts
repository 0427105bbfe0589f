import type { IncomingMessage, ServerResponse } from 'node:http';

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * Creates a listener: `createServer(nodeListener(bot.handle)).listen(4000)`. Responds 413 to bodies
 * over 8 MiB.
 */
export function nodeListener(handle: (request: Request) => Promise<Response>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const answer = await handle(await toRequest(request));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    } catch (error) {
      const words = error instanceof TypeError ? error.message : '';
      response
        .writeHead(error instanceof RangeError ? 413 : 500, { 'content-type': 'text/plain' })
        .end(words);
    }
  };
}

interface ReadRequest extends IncomingMessage {
  body?: unknown;
  rawBody?: unknown;
}

async function toRequest(request: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: pairs,
    ...(hasBody ? { body: findReadBody(request) ?? (await readBody(request)) } : {}),
  });
}

function findReadBody({ body, rawBody }: ReadRequest): string | Uint8Array<ArrayBuffer> | undefined {
  const read = rawBody ?? body;
  if (read === undefined || read === null) return undefined;
  if (typeof read === 'string' || read instanceof Uint8Array) return read as string | Uint8Array<ArrayBuffer>;
  throw new TypeError('The body was parsed before: add the bot before express.json(), or use express.raw().');
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
