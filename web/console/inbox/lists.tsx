import { useId, useMemo, useRef, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Behind, Empty, Pending } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { LIST_SHAPE, getTitle, getUnreadCount } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { withCategory } from './filters.ts';
import type { InboxFilter } from './filters.ts';
import { useConversations } from './use-conversations.ts';

const ROW_PX = 64;

interface ConversationListProps extends ListProps {
  category: string;
  choose: (category: string) => void;
}

export function ConversationList({ category, choose, ...props }: ConversationListProps) {
  const { list, user } = props;
  const filter = useMemo(() => withCategory(list, category), [list, category]);
  const listed = useConversations(filter, user);
  const offered = useId();
  // Agents cannot read all categories, so offer the categories of listed conversations.
  const seen = useRef(new Set<string>());
  for (const one of listed.items) if (one.category !== undefined) seen.current.add(one.category);
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
        {[...seen.current].sort().map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Listed {...props} listed={listed} />
    </>
  );
}

interface ListProps {
  list: InboxFilter;
  user: string;
  chosen: string | undefined;
}

function Listed({ listed, ...props }: ListProps & { listed: ReturnType<typeof useConversations> }) {
  const { items, isLoaded, isBehind, more } = listed;
  const { title } = props.list;
  if (listed.error || !isLoaded) return <Pending query={listed} />;
  if (items.length === 0) return <Empty>{TEXTS.inbox.nothingIn(title)}</Empty>;
  return (
    <>
      {isBehind ? <Behind /> : null}
      <Windowed {...props} items={items} label={title} nearEnd={more} />
    </>
  );
}

export function SearchResults({ words, ...props }: ListProps & { words: string }) {
  const query = useQuery('GET /conversations/search', { query: { q: words, limit: 50, ...LIST_SHAPE } });
  if (query.error || !query.value) return <Pending query={query} />;
  if (query.value.length === 0) return <Empty>{TEXTS.inbox.nothingFound(words)}</Empty>;
  return <Windowed {...props} items={query.value} label={TEXTS.inbox.found} />;
}

interface RowProps {
  conversation: InboxConversation;
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

interface WindowedProps extends ListProps {
  items: readonly InboxConversation[];
  label: string;
  nearEnd?: () => void;
}

const AROUND = 8;

/** Only visible rows, and a few around them, are in the document. */
function Windowed({ items, label, nearEnd, list: { name }, user, chosen }: WindowedProps) {
  const list = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, count: 30 });
  const look = () => {
    const { current } = list;
    if (!current) return;
    const first = Math.max(0, Math.floor(current.scrollTop / ROW_PX) - AROUND);
    const count = Math.ceil(current.clientHeight / ROW_PX) + 2 * AROUND;
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
      <ul aria-label={label} style={{ height: `${items.length * ROW_PX}px` }}>
        {items.slice(seen.first, seen.first + seen.count).map((item, at) => (
          <li
            key={item.id}
            style={{ top: `${(seen.first + at) * ROW_PX}px`, height: `${ROW_PX}px` }}
            aria-setsize={items.length}
            aria-posinset={seen.first + at + 1}
          >
            <Row conversation={item} list={name} user={user} isChosen={item.id === chosen} />
          </li>
        ))}
      </ul>
    </div>
  );
}
