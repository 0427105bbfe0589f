/** How far INBOX has been read (spec 15.13). */
export interface MailboxCursor {
  /** UIDs of another number name other mails (RFC 9051, 2.3.1.1). */
  uidValidity: string;
  lastUid: number;
  /** When the mailbox was read for the first time. */
  startedAt: Date;
  /** Beginning of the last complete reading. */
  checkedAt: Date;
}

export interface MailboxState {
  uidValidity: string;
  /** 0 if the mailbox never had a mail. */
  newestUid: number;
}

/**
 * `start`: nothing old is read. `renumbered`: the server has given all mails other UIDs, so the
 * mails since a time are read.
 */
export type ReadingPlan =
  | { is: 'start' }
  | { is: 'rest' }
  | { is: 'continue'; afterUid: number }
  | { is: 'renumbered'; since: Date };

/** Clocks of mail servers differ. A mail that is read twice is posted once. */
const CLOCK_MARGIN_MS = 5 * 60_000;

export function planReading(cursor: MailboxCursor | null, state: MailboxState): ReadingPlan {
  if (!cursor) return { is: 'start' };
  const { uidValidity, lastUid, startedAt, checkedAt } = cursor;
  if (uidValidity === state.uidValidity) {
    return state.newestUid > lastUid ? { is: 'continue', afterUid: lastUid } : { is: 'rest' };
  }
  const since = Math.max(startedAt.getTime(), checkedAt.getTime() - CLOCK_MARGIN_MS);
  return { is: 'renumbered', since: new Date(since) };
}

/** Returns UIDs in the order of reading. A search for `5:*` finds the last mail even below 5. */
export function selectNewUids(found: readonly number[], afterUid: number): number[] {
  return sortUids(found.filter((uid) => uid > afterUid));
}

export interface DatedMail {
  uid: number;
  /** When the server got the mail. Absent if the server does not know. */
  receivedAt?: Date | undefined;
}

export function selectArrivedUids(found: readonly DatedMail[], since: Date): number[] {
  return sortUids(found.filter(({ receivedAt }) => !receivedAt || receivedAt >= since).map(({ uid }) => uid));
}

function sortUids(uids: readonly number[]): number[] {
  return [...new Set(uids)].sort((a, b) => a - b);
}

/** Identifies a mail in the log of a channel. */
export function formatMailOrigin({ uidValidity, uid }: { uidValidity: string; uid: number }): string {
  return `imap ${uidValidity} ${uid}`;
}

const RETURN_PATH = /^return-path:\s*<?([^<>\r\n]*)>?/im;

/** Returns the sender in the header Return-Path, empty for a bounce. */
export function readReturnPath(headers: string): string | undefined {
  return RETURN_PATH.exec(headers)?.[1]?.trim();
}
