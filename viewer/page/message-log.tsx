import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Bubble, Waiting } from './bubble.tsx';
import type { Chat } from './chat.ts';
import { DownIcon } from './icons.tsx';
import { LANGUAGE, TEXTS } from './texts.ts';
import { TypingDots } from './typing-dots.tsx';
import { countNew, timeline } from './timeline.ts';
import type { Entry } from './timeline.ts';
import type { Action, ChatState } from './types.ts';

const NEAR_PX = 80;

interface Props {
  chat: Chat;
  state: ChatState;
  press: (action: Action) => void;
}

/**
 * What was said, newest at the bottom. It stays at the bottom unless the reader has scrolled up.
 */
export function MessageLog({ chat, state, press }: Props) {
  const entries = useMemo(() => timeline(state), [state.messages, state.outgoing, state.markedAt]);
  const list = useRef<HTMLDivElement>(null);
  const { atBottom, toBottom, noteScroll } = useBottom(list, entries.length + state.typing.length);
  const unread = useUnread(chat, state, atBottom);
  return (
    <main>
      {/* Keyboards scroll it when it has the focus. */}
      <div class="log" role="log" aria-label={TEXTS.messages} tabIndex={0} ref={list} onScroll={noteScroll}>
        {state.more ? (
          <button type="button" class="earlier" onClick={() => void chat.readEarlier()}>
            {TEXTS.earlier}
          </button>
        ) : null}
        {state.loaded && entries.length === 0 ? <p class="empty">{TEXTS.nothingYet}</p> : null}
        <ol>
          {entries.map((entry) => (
            <Line key={entry.key} entry={entry} press={press} discard={chat.discard} />
          ))}
        </ol>
        <TypingDots typing={state.typing} />
      </div>
      {atBottom ? null : (
        <button type="button" class="newest" onClick={toBottom}>
          {unread > 0 ? TEXTS.countNew(unread) : TEXTS.newest} <DownIcon />
        </button>
      )}
    </main>
  );
}

function Line({ entry, press, discard }: { entry: Entry } & Pick<Props, 'press'> & Pick<Chat, 'discard'>) {
  switch (entry.kind) {
    case 'day':
      return (
        <li class="day">
          <time dateTime={entry.at.slice(0, 10)}>{dayName(entry.at)}</time>
        </li>
      );
    case 'new':
      return <li class="new">{TEXTS.newMessages}</li>;
    case 'message':
      return <Bubble message={entry.message} isLast={entry.isLast} press={press} />;
    case 'outgoing':
      return <Waiting outgoing={entry.outgoing} discard={discard} />;
  }
}

function dayName(at: string): string {
  const day = new Date(at);
  if (day.toDateString() === new Date().toDateString()) return TEXTS.today;
  return day.toLocaleDateString(LANGUAGE, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
}

function useBottom(list: { current: HTMLDivElement | null }, lines: number) {
  const [atBottom, setAtBottom] = useState(true);
  const toBottom = () => list.current?.scrollTo({ top: list.current.scrollHeight });
  const keep = useRef(true);
  keep.current = atBottom;
  useLayoutEffect(() => {
    if (keep.current) toBottom();
  }, [lines]);
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    // Images and the keyboard of a phone change the height after the fact.
    const observer = new ResizeObserver(() => keep.current && toBottom());
    for (const element of [current, ...current.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const noteScroll = () => {
    const { current } = list;
    if (current) setAtBottom(current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX);
  };
  return { atBottom, toBottom, noteScroll };
}

/** Counts what the reader has not seen, in the title too, and remembers what they have. */
function useUnread(chat: Chat, { messages, markedAt, title }: ChatState, atBottom: boolean): number {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const seen = isVisible && atBottom;
  const unread = seen ? 0 : countNew(messages, markedAt);
  useEffect(() => chat.watch(seen), [seen]);
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title || TEXTS.conversation}`;
  }, [unread, title]);
  return unread;
}
