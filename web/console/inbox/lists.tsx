import { useId, useMemo, useRef, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Behind, Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { buildQuery } from '../request.ts';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { LIST_SHAPE, getTitle, getUnreadCount } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { withCategory } from './filters.ts';
import type { InboxFilter } from './filters.ts';
import { useConversations } from './use-conversations.ts';
import type { ComponentChildren } from 'preact';

const ROW_PX = 64;

interface ConversationListProps {
  list: InboxFilter;
  /** Empty for all categories. */
  category: string;
  choose: (category: string) => void;
  user: string;
  chosen: string | undefined;
}

export function ConversationList({ list, category, choose, user, chosen }: ConversationListProps) {
  const filter = useMemo(() => withCategory(list, category), [list, category]);
  const listed = useConversations(filter, user);
  const seen = useRef(new Set<string>());
  for (const one of listed.items) if (one.category !== undefined) seen.current.add(one.category);
  return (
    <>
      <CategoryField category={category} known={[...seen.current]} choose={choose} />
      <Rows listed={listed} list={list} user={user} chosen={chosen} />
    </>
  );
}

interface CategoryProps {
  category: string;
  known: readonly string[];
  choose: (category: string) => void;
}

/** Agents cannot read categories, so offer the ones seen in the list. */
function CategoryField({ category, known, choose }: CategoryProps) {
  const offered = useId();
  return (
    <>
      <input
        type="search"
        aria-label={TEXTS.inbox.category}
        placeholder={TEXTS.inbox.category}
        list={offered}
        value={category}
        onChange={({ currentTarget }) => choose(currentTarget.value.trim())}
      />
      <datalist id={offered}>
        {[...known].sort().map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

interface RowsProps {
  listed: ReturnType<typeof useConversations>;
  list: InboxFilter;
  user: string;
  chosen: string | undefined;
}

function Rows({ listed, list, user, chosen }: RowsProps) {
  const { items, isLoaded, isBehind, error, more, again } = listed;
  if (error) return <Problem error={error} again={again} />;
  if (!isLoaded) return <Loading />;
  if (items.length === 0) return <Empty>{TEXTS.inbox.nothingIn(list.title)}</Empty>;
  return (
    <>
      {isBehind ? <Behind /> : null}
      <Windowed
        items={items}
        rowHeight={ROW_PX}
        label={list.title}
        getKey={({ id }) => id}
        row={(one) => <Row conversation={one} list={list.name} user={user} isChosen={one.id === chosen} />}
        nearEnd={more}
      />
    </>
  );
}

interface SearchResultsProps {
  words: string;
  list: string;
  user: string;
  chosen: string | undefined;
}

export function SearchResults({ words, list, user, chosen }: SearchResultsProps) {
  const asked = { q: words, limit: 50, ...LIST_SHAPE };
  const { value, error, again } = useQuery<Conversation[]>(`/conversations/search${buildQuery(asked)}`);
  if (error) return <Problem error={error} again={again} />;
  if (!value) return <Loading />;
  if (value.length === 0) return <Empty>{TEXTS.inbox.nothingFound(words)}</Empty>;
  return (
    <Windowed
      items={value}
      rowHeight={ROW_PX}
      label={TEXTS.inbox.found}
      getKey={({ id }) => id}
      row={(one) => <Row conversation={one} list={list} user={user} isChosen={one.id === chosen} />}
    />
  );
}

interface RowProps {
  conversation: Conversation;
  list: string;
  user: string;
  isChosen: boolean;
}

function Row({ conversation, list, user, isChosen }: RowProps) {
  const { id, status, category, lastMessageAt } = conversation;
  const unread = getUnreadCount(conversation, user);
  return (
    <a class="row" href={formatHref('inbox', list, id)} aria-current={isChosen ? 'true' : undefined}>
      <span class="title">{getTitle(conversation) || TEXTS.inbox.unnamed}</span>
      <Time at={lastMessageAt} />
      <span class="under">
        <span class={`badge ${status}`}>{TEXTS.statuses[status]}</span> {category}
      </span>
      {unread > 0 ? (
        <span class="count" aria-label={TEXTS.inbox.countUnread(unread)}>
          {unread}
        </span>
      ) : null}
    </a>
  );
}

interface Props<T> {
  items: readonly T[];
  /** In pixels. */
  rowHeight: number;
  label: string;
  getKey: (item: T) => string;
  row: (item: T) => ComponentChildren;
  nearEnd?: () => void;
}

const AROUND = 8;

/** Only visible rows are in the document, so that long lists scroll fast. */
function Windowed<T>({ items, rowHeight, label, getKey, row, nearEnd }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, count: 30 });
  const look = () => {
    const { current } = list;
    if (!current) return;
    const first = Math.max(0, Math.floor(current.scrollTop / rowHeight) - AROUND);
    const count = Math.ceil(current.clientHeight / rowHeight) + 2 * AROUND;
    setSeen((before) => (before.first === first && before.count === count ? before : { first, count }));
  };
  useLayoutEffect(look, [items.length]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (seen.first + seen.count >= items.length) nearEnd?.();
  }, [seen, items.length]);
  return (
    <div class="windowed" ref={list} onScroll={look} tabIndex={-1}>
      <ul aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(seen.first, seen.first + seen.count).map((item, at) => (
          <li
            key={getKey(item)}
            style={{ top: `${(seen.first + at) * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={seen.first + at + 1}
          >
            {row(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
