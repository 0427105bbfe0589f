import type { Dispatcher } from 'undici';
import { MAX_FILE_BYTES } from '../../domain/files/media.ts';
import { parseTarget } from './address.ts';
import { PrivateAddressError } from './connector.ts';
import { describeError } from './exchange.ts';
import { definedFields } from '../../domain/record-fields.ts';

export interface FileRequest {
  url: string;
  /** Also for redirects. */
  authorize?: (url: URL) => string | undefined;
  signal: AbortSignal;
}

/** `isFinal`: a repetition would fail as well. */
export type FetchedFile = { bytes: Buffer } | { reason: string; isFinal: boolean };

const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 3;
const MEBIBYTE = 1024 * 1024;

/** Reads the whole file: a server may close the connection under a slow reader. */
export async function fetchFile(
  dispatcher: Dispatcher,
  { signal, ...request }: FileRequest & { userAgent: string },
): Promise<FetchedFile> {
  // AbortSignal.any would leak (lane.ts).
  const end = new AbortController();
  const cutOff = () => end.abort(new Error('The file takes too long.'));
  const timer = setTimeout(cutOff, TIMEOUT_MS);
  signal.addEventListener('abort', cutOff);
  try {
    signal.throwIfAborted();
    const body = await followRedirects(dispatcher, request, end.signal);
    return 'reason' in body ? body : await readWhole(body);
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof PrivateAddressError
      ? { reason: error.message, isFinal: true }
      : { reason: describeError(error), isFinal: false };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cutOff);
  }
}

async function readWhole(body: AsyncIterable<Buffer>): Promise<FetchedFile> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_FILE_BYTES) {
      return { reason: `It is larger than ${MAX_FILE_BYTES / MEBIBYTE} MiB.`, isFinal: true };
    }
  }
  return size === 0 ? { reason: 'It is empty.', isFinal: true } : { bytes: Buffer.concat(chunks) };
}

async function followRedirects(
  dispatcher: Dispatcher,
  { url, authorize, userAgent }: Omit<FileRequest, 'signal'> & { userAgent: string },
  signal: AbortSignal,
): Promise<AsyncIterable<Buffer> | { reason: string; isFinal: boolean }> {
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { origin, path, authorization = authorize?.(new URL(address)) } = parseTarget(address);
    const headers = { 'user-agent': userAgent, ...definedFields({ authorization }) };
    const response = await dispatcher.request({ origin, path, method: 'GET', headers, signal });
    const { statusCode: status } = response;
    if (status === 200) return response.body;
    await response.body.dump();
    const location = [response.headers['location']].flat()[0];
    if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, address)) {
      return { reason: `It responded with ${status}.`, isFinal: false };
    }
    address = new URL(location, address).href;
  }
  return { reason: 'There are too many redirects.', isFinal: true };
}
