import { createHash } from 'node:crypto';
import { mailRow } from '../../application/channels/inbound.ts';
import { storeFile } from '../../application/files/store-file.ts';
import type { StoreFileDeps } from '../../application/files/store-file.ts';
import { storeDate, storeNow } from '../../store/cluster/clock.ts';
import { insertDeliveries } from '../../store/delivery/deliveries.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { newId } from '../../store/queries/identifier.ts';

export const MAX_MAIL_BYTES = 25 * 1024 * 1024;
/** Longer than the retry schedule of a mail that cannot be posted. */
const KEPT_MS = 7 * 24 * 3_600_000;

export interface StoreMailDeps extends StoreFileDeps {
  deliveryShards: number;
}

export interface IncomingMail {
  service: ServiceDocument;
  to: string;
  /** Empty: a bounce. */
  sender: string;
  chunks: AsyncIterable<Buffer>;
  /** Identifies the mail in a mailbox. Without it, the same mail is stored once. */
  origin?: string;
}

/** Stores a mail, which a worker reads later (spec 15.11). After an error, nothing of it stays. */
export async function storeMail(
  { deliveryShards: shards, ...deps }: StoreMailDeps,
  { service, to, sender, chunks, origin }: IncomingMail,
): Promise<void> {
  const { _id: id, organization, createdBy: user = id } = service;
  const [file, pending] = [newId(), newId()];
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const { bytes, url } = await storeFile(deps, {
    ...{ id: file, name: 'mail.eml', chunks: hashed(), keptMs: KEPT_MS },
    owner: { conversation: pending, organization, createdBy: user },
  });
  const content = { id: file, place: deps.files.place };
  const row = mailRow(
    {
      mail: { file: content, bytes, url, pending, to, sender, digest: hash.digest('hex') },
      by: { user, organization, role: 'bot' },
      origin,
    },
    { id, organization },
    { sequence: storeNow() * 1_000, now: storeDate().toISOString(), shards },
  );
  await insertDeliveries([row]);
}
