import type { InboundMedia, InboundMessage } from '../application/channels/inbound.ts';
import { unsealSecrets } from '../application/channels/secrets.ts';
import { storeFile } from '../application/files/store-file.ts';
import type { FileOwner, StoreFileDeps } from '../application/files/store-file.ts';
import type { Encryption } from '../application/posting/encryption.ts';
import { DomainError } from '../domain/errors.ts';
import { MAX_FILE_BYTES } from '../domain/files/media.ts';
import { FairScheduler } from '../platform/concurrency/fair-scheduler.ts';
import { newId } from '../store/queries/identifier.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import { findProvider } from './channels/providers.ts';
import type { WebhookClient } from './http/client.ts';
import type { MailAttachment } from './mail/parse-mail.ts';

export interface MediaDeps extends StoreFileDeps {
  webhooks: Pick<WebhookClient, 'fetchFile'>;
  secrets: Pick<Encryption, 'decrypt'>;
}

interface FetchedMedia {
  service: ServiceDocument;
  media: InboundMedia;
  owner: FileOwner;
  /** A failure becomes a message. */
  isLast: boolean;
}

/** A file is in memory. */
const turns = new FairScheduler({ max: 4, maxEach: 2 });

/** Throws DomainError `unavailable` if a later attempt may succeed. */
export async function fetchMedia(
  deps: MediaDeps,
  { service, media, owner, isLast }: FetchedMedia,
  signal: AbortSignal,
): Promise<InboundMessage> {
  try {
    const { secret = '' } = unsealSecrets(service, deps.secrets.decrypt).params;
    const account = { params: service.params, secret };
    const authorize = (url: URL) => findProvider(service.type)?.posts?.authorizeFile(account, url);
    const url = await turns.run(['all', service.organization], async () => {
      const fetched = await deps.webhooks.fetchFile({ url: media.url, authorize, signal });
      if ('reason' in fetched) throw new MediaError(fetched.reason, fetched.isFinal);
      const { bytes } = fetched;
      const file = { id: newId(), name: '', owner, announced: bytes.length, chunks: slices(bytes) };
      return (await storeFile(deps, file)).url;
    });
    return { text: url };
  } catch (error) {
    signal.throwIfAborted();
    const problem = toProblem(error);
    if (!problem.isFinal && !isLast) throw new DomainError('unavailable', problem.message);
    return describeLost(media.type, problem.message);
  }
}

/** Throws DomainError `unavailable` if a later attempt may succeed. */
export async function storeAttachment(
  deps: StoreFileDeps,
  { attachment, owner, isLast }: Pick<FetchedMedia, 'owner' | 'isLast'> & { attachment: MailAttachment },
): Promise<InboundMessage> {
  const { name, type, content } = attachment;
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_FILE_BYTES) return describeLost(type, 'The file is larger than 16 MiB.');
  const file = { id: newId(), name, owner, announced: bytes.length, chunks: slices(bytes) };
  try {
    return { text: (await storeFile(deps, file)).url };
  } catch (error) {
    const problem = toProblem(error);
    if (!problem.isFinal && !isLast) throw new DomainError('unavailable', problem.message);
    return describeLost(type, problem.message);
  }
}

function describeLost(type: string, reason: string): InboundMessage {
  return { text: `[A file (${type || 'of unknown type'}) could not be received: ${reason}]` };
}

class MediaError extends Error {
  readonly isFinal: boolean;

  constructor(reason: string, isFinal: boolean) {
    super(reason);
    this.isFinal = isFinal;
  }
}

function toProblem(error: unknown): { message: string; isFinal: boolean } {
  if (error instanceof MediaError) return error;
  if (error instanceof DomainError) return { message: error.message, isFinal: error.code !== 'unavailable' };
  return { message: 'The file could not be stored.', isFinal: false };
}

const SLICE_BYTES = 64 * 1024;

// oxlint-disable-next-line typescript/require-await
async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
