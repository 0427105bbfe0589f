import { createHash, randomBytes } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { notFound, unavailable, unprocessable } from '../../domain/errors.ts';
import type { DomainError } from '../../domain/errors.ts';
import { fileUrl, safeFileName } from '../../domain/files/file.ts';
import type { FileContents } from '../../store/files/contents.ts';
import { completeFile, insertFile } from '../../store/files/files.ts';
import { removeFile } from '../../store/files/removal.ts';
import { addUsage, findUsage, reserveUsage } from '../../store/files/usage.ts';

export interface FileOwner {
  conversation: string;
  organization: string;
  createdBy: string;
}

export interface StoreFileDeps {
  files: FileContents;
  publicUrl: string;
  /** Bytes per organization. Infinity: no limit. */
  quotaBytes: number;
  log: { warn: (facts: object, message: string) => void };
}

export interface IncomingFile {
  id: string;
  name: string;
  owner: FileOwner;
  /** The expected length. */
  announced?: number | undefined;
  chunks: AsyncIterable<Buffer>;
  /** Milliseconds for which a file without a message is kept. By default a day. */
  keptMs?: number | undefined;
}

export interface StoredFile {
  id: string;
  url: string;
  name: string;
  type: string;
  bytes: number;
}

const KEY_BYTES = 32;

/**
 * Stores a file of a conversation. After an error, nothing of the file stays. Throws DomainError
 * `unprocessable` above the quota, `not_found` if the conversation was deleted, or `unavailable`.
 */
export async function storeFile(deps: StoreFileDeps, incoming: IncomingFile): Promise<StoredFile> {
  const { id, name: given, owner, announced = 0, keptMs } = incoming;
  const { conversation, organization, createdBy } = owner;
  const { files, publicUrl, quotaBytes, log } = deps;
  const used = await findUsage(organization);
  if (used + announced > quotaBytes) throw quotaError(quotaBytes);
  const key = randomBytes(KEY_BYTES).toString('base64url');
  await insertFile({ _id: id, key, organization, conversation, createdBy, place: files.place }, keptMs);
  let isStored = false;
  try {
    const { bytes, type, etag, ending } = await writeContent(deps, incoming);
    const name = safeFileName(given, ending);
    if (!(await reserveUsage(organization, bytes, quotaBytes))) throw quotaError(quotaBytes);
    isStored = await completeFile(id, { name, type, bytes, etag });
    if (!isStored) await addUsage(organization, -bytes);
    // The conversation was deleted during the upload.
    if (!isStored) throw notFound('The conversation');
    return { id, url: fileUrl(publicUrl, key), name, type, bytes };
  } finally {
    if (!isStored) {
      // Otherwise the file expires after a day.
      await removeFile(id, files).catch((error: unknown) => {
        log.warn({ err: error, file: id }, 'failed to remove an incomplete file');
      });
    }
  }
}

interface WrittenContent extends FileType {
  bytes: number;
  etag: string;
}

async function writeContent(
  { files, log }: StoreFileDeps,
  { id, chunks }: IncomingFile,
): Promise<WrittenContent> {
  const hash = createHash('sha256');
  let sample = Buffer.alloc(0);
  let bytes = 0;
  const source = { isBroken: false };
  async function* noted() {
    try {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        if (sample.length < SAMPLE_BYTES) sample = Buffer.concat([sample, chunk]).subarray(0, SAMPLE_BYTES);
        yield chunk;
      }
    } catch (error) {
      source.isBroken = true;
      throw error;
    }
  }
  try {
    await files.write(id, noted());
  } catch (error) {
    if (source.isBroken) throw error;
    log.warn({ err: error, file: id }, 'failed to store a file');
    throw unavailable();
  }
  return { ...(await detectType(sample)), bytes, etag: `"${hash.digest('base64url')}"` };
}

/** Bytes from the beginning that decide the type. */
const SAMPLE_BYTES = 4_100;

interface FileType {
  type: string;
  /** Ending of a name, without a dot. */
  ending: string;
}

const UNKNOWN: FileType = { type: 'application/octet-stream', ending: 'bin' };
const TEXT: FileType = { type: 'text/plain', ending: 'txt' };

/** Returns the type by the first bytes of a file. Never trusts names and declared types. */
async function detectType(sample: Uint8Array): Promise<FileType> {
  // A malformed file makes some detectors throw.
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (found) return { type: found.mime.replace(/;.*$/, ''), ending: found.ext };
  return isText(sample) ? TEXT : UNKNOWN;
}

/** Control characters that texts do not have. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

function isText(sample: Uint8Array): boolean {
  try {
    // `stream` accepts a character that the end of the sample cuts.
    return !CONTROLS.test(new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true }));
  } catch {
    return false;
  }
}

function quotaError(quota: number): DomainError {
  return unprocessable(
    `The files of the organization may hold ${quota / 1024 / 1024} MiB (FILES_QUOTA_MIB), and this file exceeds that. ` +
      'Files are removed with their messages and conversations.',
  );
}
