import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { lazy } from '../lazy.tsx';
import { Behind, Empty, Pending } from '../parts/notices.tsx';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { getTitle } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { narrowFilter } from './filters.ts';
import type { Criteria, InboxFilter } from './filters.ts';
import { Row } from './row.tsx';
import type { FoundMessage } from './row.tsx';
import { useSelection } from './selection.ts';
import type { Selection } from './selection.ts';
import { useConversations } from './use-conversations.ts';

const SelectionBar = lazy(() => import('./selection-bar.tsx'), 'SelectionBar', <></>);

const ROW_PX = 84;

export interface ListProps {
  session: Session;
  list: InboxFilter;
  criteria: Criteria;
  chosen: string | undefined;
  /** Whether all rows show their checkboxes. */
  isPicking: boolean;
  /** Address of a conversation in the list, or of a message in it. */
  address: (id: string, message?: string) => string;
}

export function ConversationList(props: ListProps) {
  const { list, criteria, session } = props;
  const filter = useMemo(() => narrowFilter(list, criteria), [list, criteria]);
  const listed = useConversations(filter, session.user);
  return (
    <Selectable {...props} items={listed.items}>
      {(selection) => <Listed {...props} listed={listed} selection={selection} />}
    </Selectable>
  );
}

interface SelectableProps extends ListProps {
  items: readonly InboxConversation[];
  children: (selection: Selection) => ComponentChildren;
}

/** The bar stays after the last row of the list has gone, because it has the outcome. */
export function Selectable({ items, children, session, address }: SelectableProps) {
  const name = address('');
  const selection = useSelection(items, name);
  const isUsed = useRef(false);
  isUsed.current ||= selection.chosen.length > 0;
  return (
    <>
      {isUsed.current ? <SelectionBar key={name} {...{ session, selection, items, address }} /> : null}
      {children(selection)}
    </>
  );
}

type ListedProps = ListProps & { listed: ReturnType<typeof useConversations>; selection: Selection };

function Listed({ listed, ...props }: ListedProps) {
  const { items, isLoaded, isBehind, more } = listed;
  const { title } = props.list;
  if (listed.error || !isLoaded) return <Pending query={listed} />;
  if (items.length === 0) {
    const isNarrowed = Object.keys(props.criteria).length > 0;
    return <Empty>{isNarrowed ? INBOX_WORDS.nothingFits(title) : INBOX_WORDS.nothingIn(title)}</Empty>;
  }
  return (
    <>
      {isBehind ? <Behind /> : null}
      <Windowed {...props} items={items} label={title} nearEnd={more} />
    </>
  );
}

interface WindowedProps extends ListProps {
  items: readonly InboxConversation[];
  label: string;
  selection: Selection;
  nearEnd?: () => void;
  /** By the id of the conversation. */
  messages?: ReadonlyMap<string, FoundMessage>;
}

const AROUND = 8;

/** Only visible rows, and a few around them, are in the document. */
export function Windowed(props: WindowedProps) {
  const { items, label, nearEnd, address, session, chosen, selection, isPicking, messages } = props;
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
  const showsBoxes = isPicking || selection.chosen.length > 0;
  return (
    <div
      class={showsBoxes ? 'windowed picking' : 'windowed'}
      ref={list}
      onScroll={look}
      onKeyDown={(event) => pressKey(event, selection)}
      tabIndex={-1}
    >
      <ul aria-label={label} style={{ height: `${items.length * ROW_PX}px` }}>
        {items.slice(seen.first, seen.first + seen.count).map((item, at) => (
          <li
            key={item.id}
            class={selection.has(item.id) ? 'picked' : undefined}
            style={{ top: `${(seen.first + at) * ROW_PX}px`, height: `${ROW_PX}px` }}
            aria-setsize={items.length}
            aria-posinset={seen.first + at + 1}
            data-id={item.id}
          >
            <Row
              conversation={item}
              href={address(item.id, messages?.get(item.id)?.id)}
              found={messages?.get(item.id)}
              user={session.user}
              isChosen={item.id === chosen}
            />
            <Pick item={item} selection={selection} isTabStop={showsBoxes} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PickProps {
  item: InboxConversation;
  selection: Selection;
  /** Without it, `x` selects the focused row: Tab need not pass two controls for each row. */
  isTabStop: boolean;
}

function Pick({ item, selection, isTabStop }: PickProps) {
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={INBOX_WORDS.select(getTitle(item))}
        tabIndex={isTabStop ? 0 : -1}
        checked={selection.has(item.id)}
        onClick={({ shiftKey }) => selection.toggle(item.id, shiftKey)}
      />
    </label>
  );
}

/** Arrow keys move between rows, `x` selects the focused row, and Escape clears the selection. */
function pressKey(event: KeyboardEvent, { toggle, select, chosen }: Selection): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const row = event.target instanceof Element ? event.target.closest('li') : null;
  const id = row?.dataset['id'];
  if (event.key.toLowerCase() === 'x' && id !== undefined) toggle(id, event.shiftKey);
  else if (event.key === 'Escape' && chosen.length > 0) select([]);
  else if (event.key === 'ArrowDown') focusRow(event, row?.nextElementSibling);
  else if (event.key === 'ArrowUp') focusRow(event, row?.previousElementSibling);
}

function focusRow(event: Event, row: Element | null | undefined): void {
  if (!row) return;
  event.preventDefault();
  row.querySelector<HTMLElement>('.row')?.focus();
}
