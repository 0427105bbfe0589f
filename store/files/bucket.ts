import { Readable } from 'node:stream';
import { S3mini } from 's3mini';
import type { BucketConfig } from '../../domain/files/file.ts';
import type { ContentDriver } from './driver.ts';

/** Least size of a part, except the last. Smaller files are sent in one request. */
const PART_BYTES = 5 * 1024 * 1024;
/** Includes the time that a client takes to read a content. */
const TIMEOUT_MS = 300_000;

/** Contents in an S3-compatible bucket. An upload has at most one part in memory. */
export function createBucket({ endpoint, bucket, ...access }: BucketConfig): ContentDriver {
  const s3 = new S3mini({
    ...access,
    endpoint: `${endpoint}/${bucket}`,
    requestAbortTimeout: TIMEOUT_MS,
    minPartSize: PART_BYTES,
    fetch: fetchWithOwnLength,
  });
  return {
    async write(id, chunks) {
      let upload: { id: string; parts: { partNumber: number; etag: string }[] } | undefined;
      try {
        for await (const { bytes, isLast } of collectParts(chunks)) {
          if (!upload && isLast) {
            await s3.putObject(id, bytes, TYPE);
            return;
          }
          upload ??= { id: await s3.getMultipartUploadId(id, TYPE), parts: [] };
          upload.parts.push(await s3.uploadPart(id, upload.id, bytes, upload.parts.length + 1));
        }
        if (upload) await s3.completeMultipartUpload(id, upload.id, upload.parts);
      } catch (error) {
        // Incomplete uploads are invisible and cost storage.
        if (upload) await s3.abortMultipartUpload(id, upload.id).catch(() => undefined);
        throw error;
      }
    },
    async read(id, { first, last }) {
      const { body } = await s3.getObjectRaw(id, false, first, last + 1);
      if (!body) throw new Error('The bucket returned no content.');
      return Readable.fromWeb(body);
    },
    async remove(id) {
      await s3.deleteObject(id);
    },
  };
}

/** `fetch` adds the length of the body itself, and undici refuses a request with two lengths. */
const fetchWithOwnLength: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('content-length');
  return fetch(input, { ...init, headers });
};

/** Browsers get the type from the record. */
const TYPE = 'application/octet-stream';

interface Part {
  bytes: Buffer;
  isLast: boolean;
}

async function* collectParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    if (bytes >= PART_BYTES) {
      yield { bytes: Buffer.concat(pieces), isLast: false };
      [pieces, bytes] = [[], 0];
    }
    pieces.push(chunk);
    bytes += chunk.length;
  }
  yield { bytes: Buffer.concat(pieces), isLast: true };
}
