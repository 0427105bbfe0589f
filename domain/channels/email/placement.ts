/** Facts about a mail that decide where it is posted. */
export interface MailFacts {
  /** The conversation that a signed address or Message-ID names. */
  named?: string | undefined;
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
/** Above this, a contact who replies to a bot alone is a robot. */
const MAX_REPLIES_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
/** People repeat short replies, such as "Yes, please". */
const MIN_REPEATED = 30;
const REPEATED_MS = 24 * HOUR_MS;

/** A message that a channel carried or received. `at`: milliseconds. */
export interface Exchanged {
  id: string;
  role?: string | undefined;
  at: number;
}

interface Turn {
  role: string | undefined;
  ids: string[];
  begin: number;
  end: number;
}

/**
 * Returns whether a mail at `now` continues a loop of two robots: it is the second quick reply in a
 * row to a bot, or a reply to a bot above the limit of an hour. `exchanged`: the messages before,
 * oldest first.
 */
export function isRobotLoop(exchanged: readonly Exchanged[], now: number): boolean {
  const turns = listTurns(exchanged);
  const [last, reply, bot] = turns.slice(-3).reverse();
  if (last?.role !== 'bot') return false;
  const isReply = bot?.role === 'bot' && reply?.role === 'contact';
  const isQuick = isReply && reply.begin - bot.end < QUICK_MS && now - last.end < QUICK_MS;
  return isQuick || countReplies(turns, now - HOUR_MS) >= MAX_REPLIES_AN_HOUR;
}

function countReplies(turns: readonly Turn[], since: number): number {
  const agent = turns.findLastIndex(({ role }) => role !== 'bot' && role !== 'contact');
  return turns.filter(
    ({ role, begin }, at) =>
      at > agent + 1 && role === 'contact' && begin >= since && turns[at - 1]?.role === 'bot',
  ).length;
}

/**
 * Returns the ids of the contact's last reply to a bot, if a mail at `now` replies to a bot, too.
 * A robot repeats its text there.
 */
export function findLastReply(exchanged: readonly Exchanged[], now: number): string[] {
  const [bot, reply, last] = listTurns(exchanged).slice(-3);
  const isReply = bot?.role === 'bot' && reply?.role === 'contact' && last?.role === 'bot';
  return isReply && now - reply.begin < REPEATED_MS ? reply.ids : [];
}

export function isRepeated(text: string, earlier: readonly string[]): boolean {
  const fold = (given: string) => given.replace(/\s+/g, ' ').trim();
  const words = fold(text);
  return words.length >= MIN_REPEATED && earlier.some((one) => fold(one) === words);
}

function listTurns(exchanged: readonly Exchanged[]): Turn[] {
  const turns: Turn[] = [];
  for (const { id, role, at } of exchanged) {
    const turn = turns.at(-1);
    if (turn && turn.role === role) Object.assign(turn, { end: at, ids: [...turn.ids, id] });
    else turns.push({ role, ids: [id], begin: at, end: at });
  }
  return turns;
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
