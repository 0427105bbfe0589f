/** Facts about a mail that decide where it is posted. */
export interface MailFacts {
  /** The conversation that a signed address or Message-ID names. */
  named?: string | undefined;
  /** The sender's address is an address of the contact of `named`. */
  isContact: boolean;
  /** The conversation of the contact with the sender's address. */
  known?: string | undefined;
  isAutomatic: boolean;
  /** A signature in the mail is wrong. */
  isForged: boolean;
  /** Mails of the sender in the last hour. */
  recent: number;
  isLoop: boolean;
}

/** Above this, the sender is a robot that does not mark its mails. */
export const MAX_MAILS_AN_HOUR = 20;

/** A person takes longer for at least one of two replies. */
const QUICK_MS = 30_000;

/** A message that a channel carried or received. `at`: milliseconds. */
export interface Exchanged {
  role?: string | undefined;
  at: number;
}

/**
 * Returns whether a mail at `now` is the second quick reply in a row to a bot, so that two robots
 * reply to each other. `exchanged`: the messages before the mail, oldest first.
 */
export function isRobotLoop(exchanged: readonly Exchanged[], now: number): boolean {
  const [first, reply, second] = exchanged.slice(-3);
  if (first?.role !== 'bot' || reply?.role !== 'contact' || second?.role !== 'bot') return false;
  return reply.at - first.at < QUICK_MS && now - second.at < QUICK_MS;
}

/** `note`: on the back channel with role system. Without a conversation, the sender's begins. */
export type MailPlacement = { as: 'contact' } | { as: 'note'; conversation?: string | undefined };

/** Returns where a mail is posted, and in whose name (spec 15.11). */
export function placeMail({
  named,
  isContact,
  known,
  isAutomatic,
  isForged,
  recent,
  isLoop,
}: MailFacts): MailPlacement {
  if (isForged) return { as: 'note', conversation: known };
  if (isAutomatic || isLoop || recent >= MAX_MAILS_AN_HOUR)
    return { as: 'note', conversation: named ?? known };
  if (named !== undefined && !isContact) return { as: 'note', conversation: named };
  return { as: 'contact' };
}
