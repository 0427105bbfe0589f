import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { DomainError } from '../../domain/errors.ts';

const MOST_BYTES = 1024 * 1024;

/**
 * The request's body as text. Throws DomainError `unsupported_media_type` when it is not of the expected type or compressed,
 * `too_large` above 1 MiB, `invalid_json` when it is no UTF-8 (contract 2).
 */
export async function readBody(ctx: Context, type: 'application/json' | 'text/plain'): Promise<string> {
  if (!ctx.is(type)) {
    throw new DomainError('unsupported_media_type', `The body must be sent with Content-Type: ${type}.`);
  }
  if (!['', 'identity'].includes(ctx.get('Content-Encoding'))) {
    throw new DomainError('unsupported_media_type', 'The body must be sent without Content-Encoding.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(ctx.req, ctx.request.length));
  } catch (error) {
    if (error instanceof TypeError) throw new DomainError('invalid_json', 'The body is not valid UTF-8.');
    if (error instanceof DomainError && error.code === 'too_large') ctx.set('Connection', 'close');
    throw error;
  }
}

async function readBytes(stream: IncomingMessage, announced: number | undefined): Promise<Buffer> {
  if (announced !== undefined && announced > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): DomainError {
  return new DomainError('too_large', 'The body must not exceed 1 MiB.');
}
