import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { DomainError } from '../../domain/errors.ts';

const MOST_BYTES = 1024 * 1024;

/**
 * The request's body as text. Throws DomainError `invalid_json` when there is none or it is no UTF-8, `unsupported_media_type` when
 * it is not of the expected type or compressed, `too_large` above 1 MiB (contract 2).
 */
export async function readBody(ctx: Context, type: 'application/json' | 'text/plain'): Promise<string> {
  const fits = ctx.is(type);
  if (fits === null || ctx.request.length === 0) {
    throw new DomainError('invalid_json', 'The request needs a body.');
  }
  if (fits === false) {
    throw new DomainError('unsupported_media_type', `The body must be sent with Content-Type: ${type}.`);
  }
  if (!['', 'identity'].includes(ctx.get('Content-Encoding'))) {
    throw new DomainError('unsupported_media_type', 'The body must be sent without Content-Encoding.');
  }
  const bytes = await readBytes(ctx.req, ctx.request.length);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_json', 'The body is not valid UTF-8.');
  }
}

// What is too large is still received, and thrown away: a client that cannot finish sending never reads the answer.
function readBytes(stream: IncomingMessage, announced: number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = () => {
      stream.removeAllListeners('data').resume();
      reject(new DomainError('too_large', 'The body must not exceed 1 MiB.'));
    };
    // A client that goes away in the middle is nobody's failure but his.
    const incomplete = () => reject(new DomainError('invalid_json', 'The body is incomplete.'));
    stream.once('error', incomplete);
    stream.once('close', () => {
      if (!stream.readableEnded) incomplete();
    });
    stream.once('end', () => resolve(Buffer.concat(chunks)));
    if (announced !== undefined && announced > MOST_BYTES) {
      refuse();
      return;
    }
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) refuse();
      else chunks.push(chunk);
    });
  });
}
