import type { ChatState, ChatMessage, Outgoing, Typist } from './types.ts';

export type TimelineEntry =
  | { kind: 'day'; key: string; at: string; isToday: boolean }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; message: ChatMessage; isLast: boolean; isRead: boolean }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing };

/** `today`: the local day as `toDateString` writes it. */
export function buildTimeline(
  {
    messages,
    outgoing,
    markedAt,
    readByOthers,
  }: Pick<ChatState, 'messages' | 'outgoing' | 'markedAt' | 'readByOthers'>,
  today: string,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const arrived = new Set(messages.map(({ key }) => key));
  const waiting = outgoing.filter(({ key }) => !arrived.has(key));
  const firstNew = messages.find((one) => (one.sequence ?? 0) > markedAt && one.role !== 'contact');
  const isRead = ({ role, sequence = Infinity }: ChatMessage) =>
    role === 'contact' && sequence <= readByOthers;
  const lastRead = [...messages].reverse().find(isRead);
  let day = '';
  const begin = (at: string) => {
    const next = new Date(at).toDateString();
    if (next !== day) entries.push({ kind: 'day', key: next, at, isToday: next === today });
    day = next;
  };
  messages.forEach((message, index) => {
    begin(message.at);
    if (message === firstNew) entries.push({ kind: 'new', key: 'new' });
    const isLast = index === messages.length - 1 && waiting.length === 0;
    entries.push({ kind: 'message', key: message.id, message, isLast, isRead: message === lastRead });
  });
  for (const one of waiting) {
    begin(one.at);
    entries.push({ kind: 'outgoing', key: one.key, outgoing: one });
  }
  return entries;
}

export function countNew(messages: readonly ChatMessage[], after: number): number {
  return messages.filter(({ role, sequence }) => role !== 'contact' && (sequence ?? 0) > after).length;
}

/** Returns the typists without the author of a new message. */
export function stillTyping(typing: readonly Typist[], { id, role, author }: ChatMessage): readonly Typist[] {
  return typing.filter((one) => {
    if (one.message !== undefined) return one.message !== id;
    return one.role !== role || one.author?.name !== author?.name;
  });
}
