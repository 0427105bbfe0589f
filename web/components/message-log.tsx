import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DownIcon } from './icons.tsx';
import { TEXTS, getLanguage } from './texts.ts';
import { countNew, buildTimeline } from './timeline.ts';
import type { TimelineEntry } from './timeline.ts';
import type { ComponentChildren, JSX } from 'preact';
import type { Action, ChatState, Typist, ChatMessage, Outgoing } from './types.ts';
import { Avatar } from './picture.tsx';
import { visibleName, stripOverrides, hasVisibleText } from './shown-text.ts';
import { Actions, Items } from './items.tsx';
import { Content } from './content.tsx';
import { Media } from './media.tsx';
import { useToday } from './today.ts';
import { useBusy } from './use-busy.ts';

const NEAR_PX = 80;

interface Props {
  state: ChatState;
  welcome: string | undefined;
  press: (action: Action) => void;
  discard: (key: string) => void;
  readEarlier: () => Promise<void>;
  watch: (seen: boolean, isEndShown: boolean) => void;
  count: (unread: number) => void;
  isVisible: boolean;
  isPrinting: boolean;
  /** Shown behind the last message. */
  end?: ComponentChildren;
}

/** Scrolls to new messages, unless the reader has scrolled up. */
export function MessageLog({
  state,
  welcome,
  press,
  discard,
  readEarlier,
  isPrinting,
  end,
  ...props
}: Props) {
  const today = useToday();
  const entries = useMemo(
    () => buildTimeline(state, today),
    [state.messages, state.outgoing, state.markedAt, state.readByOthers, today],
  );
  const lines = useLines(entries, { press, discard });
  const busy = useBusy();
  const list = useRef<HTMLDivElement>(null);
  const { atBottom, toBottom, noteScroll } = useBottom(list, entries.length + state.typing.length);
  const unread = useUnread(state, { ...props, atBottom });
  return (
    <main>
      {/* A focusable list can be scrolled with the keyboard. */}
      <div
        class="log"
        role="log"
        aria-label={TEXTS.messages}
        aria-busy={busy.isBusy || isPrinting}
        tabIndex={0}
        ref={list}
        onScroll={noteScroll}
      >
        {state.more ? (
          <button type="button" class="earlier" onClick={() => void busy.run(readEarlier)}>
            {TEXTS.earlier}
          </button>
        ) : null}
        <Beginning state={state} welcome={welcome} isEmpty={entries.length === 0} />
        <ol>{lines}</ol>
        <div>{end}</div>
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

function Beginning({
  state: { loaded, more },
  welcome,
  isEmpty,
}: Pick<Props, 'state' | 'welcome'> & { isEmpty: boolean }) {
  if (!loaded || more) return null;
  if (welcome !== undefined) return <p class="welcome">{welcome}</p>;
  return isEmpty ? <p class="empty">{TEXTS.nothingYet}</p> : null;
}

/** An unchanged entry keeps its node, so that a long list renders fast. */
function useLines(entries: readonly TimelineEntry[], { press, discard }: Pick<Props, 'press' | 'discard'>) {
  const known = useRef(new Map<string, { entry: TimelineEntry; line: JSX.Element }>());
  return useMemo(() => {
    const made = new Map<string, { entry: TimelineEntry; line: JSX.Element }>();
    for (const entry of entries) {
      const before = known.current.get(entry.key);
      const line =
        before && isSame(before.entry, entry) ? (
          before.line
        ) : (
          <Line key={entry.key} entry={entry} press={press} discard={discard} />
        );
      made.set(entry.key, { entry, line });
    }
    known.current = made;
    return [...made.values()].map(({ line }) => line);
  }, [entries]);
}

function isSame(one: TimelineEntry, other: TimelineEntry): boolean {
  const [before, now] = [one, other].map((entry) => Object.entries(entry));
  return before?.length === now?.length && (before ?? []).every(([, value], at) => value === now?.[at]?.[1]);
}

function Line({ entry, press, discard }: { entry: TimelineEntry } & Pick<Props, 'press' | 'discard'>) {
  switch (entry.kind) {
    case 'day':
      return (
        <li class="day">
          <time dateTime={entry.at.slice(0, 10)} data-date={formatDate(entry.at)}>
            <span>{entry.isToday ? TEXTS.today : formatDate(entry.at)}</span>
          </time>
        </li>
      );
    case 'new':
      return <li class="new">{TEXTS.newMessages}</li>;
    case 'message':
      return <Bubble message={entry.message} isLast={entry.isLast} isRead={entry.isRead} press={press} />;
    case 'outgoing':
      return <OutgoingBubble outgoing={entry.outgoing} discard={discard} />;
  }
}

function formatDate(at: string): string {
  return new Date(at).toLocaleDateString(getLanguage(), {
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
    // Images and the on-screen keyboard change the height later.
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

function useUnread(
  { messages, markedAt }: ChatState,
  { atBottom, isVisible, watch, count }: Pick<Props, 'isVisible' | 'watch' | 'count'> & { atBottom: boolean },
): number {
  const seen = isVisible && atBottom;
  const unread = seen ? 0 : countNew(messages, markedAt);
  useEffect(() => watch(seen, atBottom), [seen, atBottom]);
  useEffect(() => count(unread), [unread]);
  return unread;
}

/** A delayed message shows the typing indicator only shortly before it is sent. */
const SOON_MS = 60_000;
const LOOK_MS = 1_000;

function TypingDots({ typing }: { typing: readonly Typist[] }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (typing.length === 0) return;
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, [typing]);
  // A typist without a delayed message needs no time check: the server reports when typing stops.
  const someone = typing.find(
    ({ message, until }) => !message || !until || Date.parse(until) - now < SOON_MS,
  );
  if (!someone) return null;
  return (
    <div class="typing" role="status">
      {someone.author ? <Avatar author={someone.author} /> : null}
      <span class="hidden">{describeTypist(someone)}</span>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
    </div>
  );
}

function describeTypist({ role, author }: Typist): string {
  const name = visibleName(author);
  if (name !== undefined) return TEXTS.typesNamed(name);
  return role === 'agent' ? TEXTS.agentTypes : TEXTS.botTypes;
}

interface BubbleProps {
  message: ChatMessage;
  isLast: boolean;
  isRead: boolean;
  press: (action: Action) => void;
}

function Bubble({ message, isLast, isRead, press }: BubbleProps) {
  const { role = 'bot', author, at, actions = [], items = [], slug } = message;
  if (isEmpty(message)) return null;
  const lasting = actions.filter((action) => !isQuickReply(action));
  const fleeting = isLast ? actions.filter(isQuickReply) : [];
  return (
    <li class={`message ${role}`} id={slug}>
      <article>
        <p class="author">
          {author ? <Avatar author={author} /> : null}
          <bdi class={role === 'contact' ? 'hidden' : ''}>
            {visibleName(author) ?? TEXTS.authors[role]}
          </bdi>{' '}
          <time dateTime={at}>{formatTime(at)}</time>
        </p>
        <Content message={message} />
        <Items items={items} press={press} />
        <Actions actions={lasting} press={press} />
        {isRead ? <p class="read">{TEXTS.read}</p> : null}
      </article>
      <Actions actions={fleeting} press={press} />
    </li>
  );
}

function OutgoingBubble({ outgoing, discard }: { outgoing: Outgoing; discard: (key: string) => void }) {
  const { key, text, label, refused } = outgoing;
  return (
    <li class={`message contact ${refused === undefined ? 'waiting' : 'refused'}`}>
      <article>
        <p class="author">
          <span class="hidden">{TEXTS.authors.contact}</span>{' '}
          {refused === undefined ? TEXTS.sending : TEXTS.notSent}
        </p>
        {text === '' ? null : <div class="text">{stripOverrides(label ?? text)}</div>}
        {outgoing.files?.map(({ url, ...media }) => (
          <Media key={url} url={url} media={media} />
        ))}
        {refused === undefined ? null : (
          <p class="why" role="alert">
            {TEXTS.refused} <span lang="en">{refused}</span>{' '}
            <button type="button" onClick={() => discard(key)}>
              {TEXTS.remove}
            </button>
          </p>
        )}
      </article>
    </li>
  );
}

function isEmpty({ text, contentType, actions = [], items = [] }: ChatMessage): boolean {
  const isHtml = contentType === 'text/html' && !/<(?:img|hr)\b/i.test(text);
  const words = isHtml ? text.replace(/<[^>]*>|&(?:nbsp|shy|zwnj|zwj);/gi, '') : text;
  return !hasVisibleText(words) && actions.length === 0 && items.length === 0;
}

function isQuickReply({ type }: Action): boolean {
  return type === 'reply' || type === 'locationRequest';
}

function formatTime(at: string): string {
  return new Date(at).toLocaleTimeString(getLanguage(), { hour: '2-digit', minute: '2-digit' });
}
