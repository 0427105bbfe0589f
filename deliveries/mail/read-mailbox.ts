import { computeRowId, unreadableRow } from '../../application/channels/inbound.ts';
import {
  formatMailOrigin,
  planReading,
  selectArrivedUids,
  selectNewUids,
} from '../../domain/channels/email/mailbox.ts';
import type { ReadingPlan } from '../../domain/channels/email/mailbox.ts';
import { storeDate, storeNow } from '../../store/cluster/clock.ts';
import { insertDeliveries, isDeliveryStored } from '../../store/delivery/deliveries.ts';
import {
  advanceMailboxCursor,
  findMailboxProgress,
  noteFailedFetch,
  noteMailboxChecked,
  setMailboxCursor,
} from '../../store/delivery/mailboxes.ts';
import type { MailboxService } from '../../store/delivery/mailboxes.ts';
import { ImapError } from '../channels/email/imap.ts';
import type { MailHead, MailboxConnection } from '../channels/email/imap.ts';
import { MAX_MAIL_BYTES, storeMail } from './store-mail.ts';
import type { StoreMailDeps } from './store-mail.ts';

/** A mail that cannot be fetched so often is given up: it is one failed row. */
const MAX_TRIES = 3;
/** Longer than 25 MiB take over a slow line. */
const MAIL_MS = 5 * 60_000;

/** The server does not send a mail. `isGivenUp`: the next reading skips it. */
export class UnfetchedMailError extends ImapError {
  readonly isGivenUp: boolean;

  constructor({ failure }: ImapError, isGivenUp: boolean) {
    super(failure);
    this.isGivenUp = isGivenUp;
  }
}

interface Reading {
  service: MailboxService;
  connection: MailboxConnection;
  /** Aborted before the connection is closed. */
  signal: AbortSignal;
  /** False ends the reading after the current mail. */
  mayGoOn: () => boolean;
}

/**
 * Stores the mails that are new in INBOX, oldest first (spec 15.13). Returns false if `mayGoOn`
 * ended the reading. Rejects with ImapError if the mailbox cannot be read.
 */
export async function readMailbox(deps: StoreMailDeps, reading: Reading): Promise<boolean> {
  const { service, connection, mayGoOn } = reading;
  const { _id: id } = service;
  const source = formatSource(service);
  const checkedAt = storeDate();
  const state = await connection.examine();
  const { uidValidity, newestUid: lastUid } = state;
  const { cursor, failed } = await findMailboxProgress(id, source);
  const plan = planReading(cursor, state);
  for (const uid of await findUids(connection, plan)) {
    if (!mayGoOn()) return false;
    const origin = formatMailOrigin({ uidValidity, uid });
    await takeMail(deps, reading, { uid, origin, tries: failed?.origin === origin ? failed.tries : 0 });
    // The UIDs of another numbering may be in any order.
    if (plan.is === 'continue') await advanceMailboxCursor(id, { uidValidity, lastUid: uid });
  }
  if (plan.is === 'start' || plan.is === 'renumbered') {
    const { startedAt } = cursor ?? { startedAt: checkedAt };
    await setMailboxCursor(id, source, { uidValidity, lastUid, startedAt, checkedAt });
  } else await noteMailboxChecked(id, { uidValidity, checkedAt });
  return true;
}

/** A changed server or user is another mailbox. */
function formatSource({ params: { imapUrl, username = '' } }: MailboxService): string {
  return `${username} ${imapUrl}`;
}

async function findUids(connection: MailboxConnection, plan: ReadingPlan): Promise<number[]> {
  if (plan.is === 'continue') {
    return selectNewUids(await connection.findUidsAfter(plan.afterUid), plan.afterUid);
  }
  if (plan.is !== 'renumbered') return [];
  return selectArrivedUids(await connection.findArrivedSince(plan.since), plan.since);
}

interface NewMail {
  uid: number;
  origin: string;
  /** Failed attempts to fetch the mail. */
  tries: number;
}

class TooLargeError extends Error {}

async function takeMail(deps: StoreMailDeps, reading: Reading, mail: NewMail): Promise<void> {
  const { service, connection, signal } = reading;
  const { uid, origin, tries } = mail;
  // The worker may have ended before the cursor moved.
  if (await isDeliveryStored(computeRowId(service._id, origin))) return;
  const isLastTry = tries + 1 >= MAX_TRIES;
  // A server that sends no mail at all is an outage.
  if (isLastTry) await connection.assertSendsOthers(uid);
  const known: { head?: MailHead | null } = {};
  const refuse = (problem: string) =>
    storeProblem(deps, service, { problem, origin, post: `UID ${uid} ${known.head?.title ?? ''}`.trim() });
  try {
    known.head = await connection.findMail(uid);
    if (known.head) await takeContent(deps, reading, { ...mail, head: known.head });
  } catch (error) {
    if (error instanceof TooLargeError) {
      await refuse('The mail is larger than 25 MiB.');
      return;
    }
    // The mail is not the cause of a failure of the store, or of the end of this worker.
    if (!(error instanceof ImapError) || signal.aborted) throw error;
    await noteFailedFetch(service._id, { origin, tries: tries + 1 });
    if (isLastTry) await refuse(`The mail could not be fetched in ${MAX_TRIES} attempts. ${error.message}`);
    throw new UnfetchedMailError(error, isLastTry);
  }
}

async function takeContent(
  deps: StoreMailDeps,
  { service, connection }: Reading,
  { uid, origin, head: { bytes, sender } }: NewMail & { head: MailHead },
): Promise<void> {
  if (bytes > MAX_MAIL_BYTES) throw new TooLargeError();
  const to = service.params.address ?? '';
  await storeMail(deps, { service, to, sender, origin, chunks: bounded(connection.read(uid)) });
}

/** The announced size of a mail may be wrong. */
async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const until = performance.now() + MAIL_MS;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_MAIL_BYTES) throw new TooLargeError();
    if (performance.now() > until) {
      throw new ImapError({ step: 'connection', text: `The mail took longer than ${MAIL_MS / 60_000} min` });
    }
    yield chunk;
  }
}

async function storeProblem(
  { deliveryShards: shards }: StoreMailDeps,
  { _id: id, organization }: MailboxService,
  post: { problem: string; post: string; origin: string },
): Promise<void> {
  const arrival = { sequence: storeNow() * 1_000, now: storeDate().toISOString(), shards };
  await insertDeliveries([unreadableRow(post, { id, organization }, arrival)]);
}
