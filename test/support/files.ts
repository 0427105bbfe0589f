import { MongoClient } from 'mongodb';
import type { Product } from './product.ts';

/** The smallest valid PNG: one transparent pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);

interface UploadOptions {
  token?: string;
  headers?: Record<string, string>;
  type?: string;
}

/** Uploads a file. `address` is a whole URL. A stream is sent in chunks, without its length. */
export async function upload(
  address: string,
  body: Buffer | string | FormData | ReadableStream<Uint8Array>,
  { token, headers = {}, type = 'application/octet-stream' }: UploadOptions = {},
): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      ...(body instanceof FormData ? {} : { 'Content-Type': type }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Returns how many records and pieces of content a conversation's files have in the store. */
export async function countStoredFiles(
  { environment }: Pick<Product, 'environment'>,
  conversation: string,
): Promise<{ files: number; ids: string[] }> {
  const client = await MongoClient.connect(environment['MONGODB_URI'] ?? '');
  try {
    const found = await client.db().collection('files').find({ conversation }).toArray();
    return { files: found.length, ids: found.map(({ _id }) => String(_id)) };
  } finally {
    await client.close();
  }
}

/** Returns how many pieces of content these files have in the store. */
export async function countPieces(
  { environment }: Pick<Product, 'environment'>,
  ids: string[],
): Promise<number> {
  const client = await MongoClient.connect(environment['MONGODB_URI'] ?? '');
  try {
    const named = await client
      .db()
      .collection('filecontents.files')
      .find({ filename: { $in: ids } })
      .toArray();
    const chunks = client.db().collection('filecontents.chunks');
    return await chunks.countDocuments({ files_id: { $in: named.map(({ _id }) => _id) } });
  } finally {
    await client.close();
  }
}
