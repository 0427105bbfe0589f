import type { TimelineMessage } from './conversation.ts';
import { describeDeed } from './history.ts';
import type { Names } from './history.ts';
import { ACCEPT, CLOSE } from './slash.ts';
import { history as WORDS } from './texts.ts';

/** A message, and how the messages before it change its look. */
export interface TimelineEntry {
  message: TimelineMessage;
  /** Set on the first message of a local day. */
  day?: string;
  /** The message follows one of the same author, so its author is not shown again. */
  isContinued: boolean;
  /** Label of the button that a postback pressed. */
  label?: string;
  /** The author's action, such as `closed this`. Absent for a chat, card, postback or mention. */
  deed?: string;
}

const TOGETHER_MS = 5 * 60_000;

export function buildEntries(messages: readonly TimelineMessage[], naming: Names): TimelineEntry[] {
  const labels = new Map<string, string>();
  let before: TimelineEntry | undefined;
  let isClosed = false;
  return messages.map((message) => {
    const label = message.type === 'postback' ? labels.get(message.text) : undefined;
    collectLabels(message, labels);
    const isReopened = isClosed && message.type === 'command' && message.text === ACCEPT;
    const deed = isReopened ? WORDS.reopen : describeDeed(message, naming);
    isClosed = staysClosed(message, isClosed);
    const at = getTime(message);
    const day = before && isSameDay(getTime(before.message), at) ? undefined : at;
    const isContinued =
      day === undefined && deed === undefined && before !== undefined && follows(message, before);
    before = {
      message,
      isContinued,
      ...(day === undefined ? {} : { day }),
      ...(label === undefined ? {} : { label }),
      ...(deed === undefined ? {} : { deed }),
    };
    return before;
  });
}

function staysClosed({ type, role, text }: TimelineMessage, isClosed: boolean): boolean {
  if (type !== 'command') return isClosed && role !== 'contact';
  return text === CLOSE || (isClosed && text !== ACCEPT && !/^\/(?:set @?status|notify)/.test(text));
}

export function getTime({ processedAt, createdAt }: TimelineMessage): string {
  return processedAt ?? createdAt;
}

function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

function follows(message: TimelineMessage, { message: before, deed }: TimelineEntry): boolean {
  const isNear = Date.parse(getTime(message)) - Date.parse(getTime(before)) < TOGETHER_MS;
  return (
    deed === undefined &&
    isNear &&
    message.role === before.role &&
    message.author?.id === before.author?.id &&
    message.isBackchannel === before.isBackchannel
  );
}

function collectLabels({ actions = [], items = [] }: TimelineMessage, labels: Map<string, string>): void {
  for (const action of [...actions, ...items.flatMap((item) => item.actions ?? [])])
    if ('payload' in action) labels.set(action.payload, action.text);
}

/** Returns the messages in order, without deleted ones. Of two versions the later one stays. */
export function mergeMessages(
  now: readonly TimelineMessage[],
  added: readonly TimelineMessage[],
  deleted: ReadonlySet<string> = new Set(),
): TimelineMessage[] {
  const byId = new Map(now.map((message) => [message.id, message]));
  for (const message of added) {
    const known = byId.get(message.id);
    if (!known || version(message) >= version(known)) byId.set(message.id, message);
  }
  return [...byId.values()]
    .filter(({ id }) => !deleted.has(id))
    .sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}

/** Merges the newest page after a lost stream. Drops deleted messages, and all before a gap. */
export function mergeNewest(
  now: readonly TimelineMessage[],
  newest: readonly TimelineMessage[],
  isWhole: boolean,
): TimelineMessage[] {
  const sequences = newest.map(({ sequence = Infinity }) => sequence);
  const first = isWhole ? 0 : Math.min(...sequences);
  const last = Math.max(0, ...sequences);
  const known = Math.max(0, ...now.map(({ sequence = 0 }) => sequence));
  const listed = new Set(newest.map(({ id }) => id));
  const isKept = ({ id, sequence = Infinity }: TimelineMessage) =>
    listed.has(id) || sequence > last || (sequence < first && first <= known + 1);
  return mergeMessages(now.filter(isKept), newest);
}

function version({ updatedAt, delivery }: TimelineMessage): string {
  return `${updatedAt} ${delivery?.at ?? ''}`;
}
