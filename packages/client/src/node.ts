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

/** An event of AWS Lambda from an API Gateway, a function URL, a load balancer or Netlify. */
export interface LambdaEvent {
  httpMethod?: string;
  requestContext?: { http?: { method?: string } };
  headers?: Readonly<Record<string, string | undefined>> | null;
  multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null;
  body?: string | null;
  isBase64Encoded?: boolean;
}

export interface LambdaResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Creates a handler: `export const handler = lambdaHandler(bot.handle)`. */
export function lambdaHandler(handle: (request: Request) => Promise<Response>) {
  return async (event: LambdaEvent): Promise<LambdaResult> => {
    const { body, isBase64Encoded, requestContext } = event;
    const method = event.httpMethod ?? requestContext?.http?.method ?? 'POST';
    const lists = Object.entries({ ...event.headers, ...event.multiValueHeaders });
    const headers = lists.map(([name, value]): [string, string] => [name, [value ?? []].flat().join(' ')]);
    const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const answer = await handle(
      new Request('http://localhost', { method, headers, ...(hasBody ? { body: bytes } : {}) }),
    );
    const { status: statusCode } = answer;
    return { statusCode, headers: Object.fromEntries(answer.headers), body: await answer.text() };
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
