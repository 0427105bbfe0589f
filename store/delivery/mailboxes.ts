import mongoose from 'mongoose';
import type { MailboxCursor } from '../../domain/channels/email/mailbox.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { storeDate } from '../cluster/clock.ts';
import { defineModel } from '../connection/model.ts';
import { serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';

/** A mail that the server did not send. */
interface FailedFetch {
  origin: string;
  tries: number;
}

/** How far the mailbox of a channel has been read (spec 15.13). The id is that of the service. */
interface MailboxDocument extends Partial<MailboxCursor> {
  _id: string;
  /** Server and user. The cursor of another source is not used. */
  source?: string;
  failed?: FailedFetch;
  /** When a worker last looked after the mailbox. */
  seenAt: Date;
}

const mailboxSchema = new mongoose.Schema<MailboxDocument>(
  {
    _id: String,
    source: String,
    uidValidity: String,
    lastUid: Number,
    startedAt: Date,
    checkedAt: Date,
    failed: mongoose.Schema.Types.Mixed,
    seenAt: Date,
  },
  { collection: 'mailboxes', versionKey: false, strict: true },
);

const mailboxModel = defineModel<MailboxDocument>('Mailbox', mailboxSchema);

export type MailboxService = ServiceDocument & { params: { imapUrl: string } };

/** A failed channel receives, a disabled channel does not. */
export function readsMailbox(service: ServiceDocument | null): service is MailboxService {
  return service?.params.imapUrl !== undefined && service.status !== 'disabled';
}

export async function noteMailboxSeen(service: string): Promise<void> {
  await mailboxModel.collection.updateOne(
    { _id: service },
    { $set: { seenAt: storeDate() } },
    { upsert: true },
  );
}

/** Returns the services whose mailbox no worker has looked after since `since`. */
export async function findForsakenMailboxes(since: Date): Promise<string[]> {
  const services = await serviceModel.collection
    .find({ 'params.imapUrl': { $exists: true }, status: { $ne: 'disabled' } }, { projection: { _id: 1 } })
    .toArray();
  if (services.length === 0) return [];
  const ids = services.map(({ _id }) => _id);
  const seen = await mailboxModel.collection
    .find({ _id: { $in: ids }, seenAt: { $gte: since } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(seen.map(({ _id }) => _id));
  return ids.filter((id) => !known.has(id));
}

interface MailboxProgress {
  /** Null if the mailbox was not read yet, or from another source. */
  cursor: MailboxCursor | null;
  failed?: FailedFetch | undefined;
}

export async function findMailboxProgress(service: string, source: string): Promise<MailboxProgress> {
  const found = await mailboxModel.collection.findOne({ _id: service });
  const { uidValidity, lastUid, startedAt, checkedAt, failed } = found ?? {};
  const isWhole = uidValidity !== undefined && lastUid !== undefined && startedAt && checkedAt;
  if (found?.source !== source || !isWhole) return { cursor: null };
  return { cursor: { uidValidity, lastUid, startedAt, checkedAt }, failed };
}

export async function setMailboxCursor(
  service: string,
  source: string,
  cursor: MailboxCursor,
): Promise<void> {
  await mailboxModel.collection.updateOne(
    { _id: service },
    { $set: { source, ...cursor, seenAt: storeDate() }, $unset: { failed: '' } },
    { upsert: true },
  );
}

/** Never moves the cursor back. */
export async function advanceMailboxCursor(
  service: string,
  { uidValidity, lastUid }: Pick<MailboxCursor, 'uidValidity' | 'lastUid'>,
): Promise<void> {
  await mailboxModel.collection.updateOne(
    { _id: service, uidValidity, lastUid: { $lt: lastUid } },
    { $set: { lastUid }, $unset: { failed: '' } },
  );
}

export async function noteMailboxChecked(
  service: string,
  { uidValidity, checkedAt }: Pick<MailboxCursor, 'uidValidity' | 'checkedAt'>,
): Promise<void> {
  await mailboxModel.collection.updateOne(
    { _id: service, uidValidity },
    { $set: { checkedAt, seenAt: storeDate() } },
  );
}

export async function noteFailedFetch(service: string, failed: FailedFetch): Promise<void> {
  await mailboxModel.collection.updateOne({ _id: service }, { $set: { failed } });
}

export async function removeMailbox(service: string): Promise<void> {
  await mailboxModel.collection.deleteOne({ _id: service });
}

/** `reason`: why the mailbox cannot be read. Without it, the mailbox is read. */
export async function noteMailboxHealth(
  { _id, params: { imapUrl }, mailbox }: MailboxService,
  reason?: string,
): Promise<void> {
  const status = reason === undefined ? 'active' : 'failed';
  if (mailbox?.status === status && mailbox.reason === reason) return;
  const now = storeDate();
  const since = mailbox?.status === status ? mailbox.since : now;
  await serviceModel.collection.updateOne(
    { _id, 'params.imapUrl': imapUrl },
    { $set: { mailbox: { status, since, ...definedFields({ reason }) }, updatedAt: now } },
  );
}
