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
      response.writeHead(error instanceof RangeError ? 413 : 500).end();
    }
  };
}

async function toRequest(request: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/', headers } = request;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('too large');
    chunks.push(chunk);
  }
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: pairs,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  });
}
