import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { BusboyInstance } from '@fastify/busboy';
import type { Context } from 'koa';
import { MAX_FILE_BYTES } from '../../domain/files/media.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import type { Upload } from '../request.ts';
import { allowLongBody, isBrokenOff } from '../../platform/http/connections.ts';
import { assertUncompressed, mediaTypeError, missingBodyError, parseMediaType } from '../pipeline/body.ts';

const FORM = 'multipart/form-data';
const MAX_FORM_BYTES = 64 * 1024;
const FORM_LIMITS = {
  files: 1,
  fields: 10,
  parts: 12,
  fieldNameSize: 100,
  fieldSize: 1_000,
  headerPairs: 20,
};

/**
 * Opens the body of an upload: a form with one file, or the file itself. Throws DomainError
 * `unsupported_media_type`, `too_large` by the announced length, or `invalid_request` for a form
 * without a file.
 */
export async function openUpload(ctx: Context): Promise<Upload> {
  const { req } = ctx;
  const { type } = parseMediaType(ctx.get('Content-Type'));
  const isForm = type === FORM;
  if (ctx.get('Content-Type') === '') throw mediaTypeError(FORM, 'the type of the file');
  assertUncompressed(ctx);
  const length = ctx.get('Content-Length');
  const announced = length === '' ? undefined : Number(length);
  const hasBody = announced !== undefined || ctx.get('Transfer-Encoding') !== '';
  if (announced === 0 || !hasBody) throw missingBodyError();
  if (announced !== undefined && announced > MAX_FILE_BYTES + (isForm ? MAX_FORM_BYTES : 0)) {
    throw fileTooLargeError();
  }
  allowLongBody(req);
  const upload = isForm
    ? await openForm(req)
    : {
        fields: {},
        name: parseFileName(ctx.get('Content-Disposition')),
        chunks: read(req),
        discard: () => void req.resume(),
      };
  return { ...upload, announced, chunks: bounded(upload.chunks) };
}

export function fileTooLargeError(): DomainError {
  return new DomainError('too_large', `A file must not exceed ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
}

function brokenError(): DomainError {
  // The client interrupted the upload, so the status is 4xx.
  return new DomainError('invalid_request', 'The file is incomplete.');
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw fileTooLargeError();
    yield chunk;
  }
  if (bytes === 0) throw invalidRequest('file', 'must not be empty');
}

/** Leaves the stream open after an error: destroying a request closes its connection. */
async function* read(stream: Readable): AsyncGenerator<Buffer> {
  if (isBrokenOff(stream as IncomingMessage) || stream.destroyed) throw brokenError();
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch {
    throw brokenError();
  }
}

const QUOTED_NAME = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i;
const PLAIN_NAME = /;\s*filename\s*=\s*([^\s";]+)/i;
const ENCODED_NAME = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i;

/** Returns the file name of a header `Content-Disposition` (RFC 6266), empty if absent. */
export function parseFileName(disposition: string): string {
  const encoded = ENCODED_NAME.exec(disposition)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Falls back to the plain name.
    }
  }
  const quoted = QUOTED_NAME.exec(disposition)?.[1];
  return quoted?.replace(/\\(.)/g, '$1') ?? PLAIN_NAME.exec(disposition)?.[1] ?? '';
}

function openForm(req: IncomingMessage): Promise<Omit<Upload, 'announced'>> {
  const form = createForm(req);
  const fields: Record<string, string> = {};
  const state: { problem?: DomainError; file?: Readable } = {};
  const fail = (error: DomainError) => {
    state.problem ??= error;
    // The parser does not end the file of a form that breaks off.
    state.file?.destroy(error);
  };
  // The parser emits errors at any time. Without listeners they would end the process.
  form.on('error', () => fail(brokenError()));
  form.on('field', (name: string, value: string) => (fields[name] = value));
  form.on('filesLimit', () => (state.problem ??= invalidRequest('file', 'must be one file per request')));
  const ended = new Promise<void>((resolve) => {
    for (const event of ['finish', 'error', 'close']) form.once(event, () => resolve());
  });
  const assertWhole = () => {
    if (state.problem) throw state.problem;
  };
  const discard = () => {
    req.unpipe(form);
    req.resume();
  };
  const broken = () => {
    if (!req.readableEnded) form.destroy(brokenError());
  };
  req.once('error', broken).once('close', broken);
  return new Promise((resolve, reject) => {
    form.once('file', (_: string, file: Readable, name: string | undefined) => {
      state.file = file.on('error', () => fail(brokenError()));
      async function* chunks() {
        assertWhole();
        yield* read(file);
        await ended;
        assertWhole();
      }
      resolve({ fields, name: name ?? '', chunks: chunks(), discard });
    });
    void ended.then(() => {
      discard();
      reject(state.problem ?? invalidRequest('file', 'is missing in the form'));
    });
    req.pipe(form);
  });
}

function createForm({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: FORM_LIMITS,
    });
  } catch {
    throw invalidRequest('Content-Type', 'needs the boundary of the form');
  }
}
