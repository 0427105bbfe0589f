import { useState } from 'preact/hooks';
import type { ScreenProps } from '../screen.ts';
import { Behind, Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { query } from '../request.ts';
import { hrefOf } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAsked } from '../use-asked.ts';
import { titleOf, unreadOf } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { ConversationView } from './conversation-view.tsx';
import { FILTERS } from './filters.ts';
import type { Filter } from './filters.ts';
import { LIST_FIELDS } from './conversation.ts';
import { useConversations } from './use-conversations.ts';

const ROW_PX = 64;
/** At the end of a conversation's address: its chat page is shown beside it. */
const BESIDE = 'beside';

/** The inbox: lists of conversations on one side, the chosen one beside. */
export function InboxScreen({ session, place: [name = 'queued', id, part] }: ScreenProps) {
  const [words, setWords] = useState('');
  const filter = FILTERS.find((one) => one.name === name) ?? FILTERS[0];
  const isBeside = part === BESIDE;
  return (
    <div class={classOf(id, isBeside)}>
      <section class="lists" aria-label={TEXTS.inbox.lists}>
        <nav class="tabs" aria-label={TEXTS.inbox.lists}>
          {FILTERS.map((one) => (
            <a
              key={one.name}
              href={hrefOf('inbox', one.name)}
              aria-current={one === filter ? 'true' : undefined}
            >
              {one.title}
            </a>
          ))}
        </nav>
        <input
          type="search"
          aria-label={TEXTS.inbox.search}
          placeholder={TEXTS.inbox.search}
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        {words.trim() === '' ? (
          <Listed filter={filter} user={session.user} chosen={id} />
        ) : (
          <Found words={words.trim()} list={filter.name} user={session.user} chosen={id} />
        )}
      </section>
      {id === undefined ? (
        <Empty>{TEXTS.inbox.choose}</Empty>
      ) : (
        <ConversationView key={id} id={id} session={session} list={filter.name} isBeside={isBeside} />
      )}
    </div>
  );
}

function classOf(id: string | undefined, isBeside: boolean): string {
  return ['inbox', ...(id === undefined ? [] : ['chosen']), ...(isBeside ? ['with-page'] : [])].join(' ');
}

function Listed({ filter, user, chosen }: { filter: Filter; user: string; chosen: string | undefined }) {
  const { items, isLoaded, isBehind, error, more, again } = useConversations(filter, user);
  if (error) return <Problem error={error} again={again} />;
  if (!isLoaded) return <Loading />;
  if (items.length === 0) return <Empty>{TEXTS.inbox.nothingIn(filter.title)}</Empty>;
  return (
    <>
      {isBehind ? <Behind /> : null}
      <Windowed
        items={items}
        rowHeight={ROW_PX}
        label={filter.title}
        keyOf={({ id }) => id}
        row={(one) => <Row conversation={one} list={filter.name} user={user} isChosen={one.id === chosen} />}
        nearEnd={more}
      />
    </>
  );
}

interface FoundProps {
  words: string;
  list: string;
  user: string;
  chosen: string | undefined;
}

function Found({ words, list, user, chosen }: FoundProps) {
  const shape = {
    q: words,
    limit: 50,
    select: LIST_FIELDS,
    populate: 'contact:profile,participants.user:name',
  };
  const { value, error, again } = useAsked<Conversation[]>(`/conversations/search${query(shape)}`);
  if (error) return <Problem error={error} again={again} />;
  if (!value) return <Loading />;
  if (value.length === 0) return <Empty>{TEXTS.inbox.nothingFound(words)}</Empty>;
  return (
    <Windowed
      items={value}
      rowHeight={ROW_PX}
      label={TEXTS.inbox.found}
      keyOf={({ id }) => id}
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
  const { id, status, category, updatedAt } = conversation;
  const unread = unreadOf(conversation, user);
  return (
    <a class="row" href={hrefOf('inbox', list, id)} aria-current={isChosen ? 'true' : undefined}>
      <span class="title">{titleOf(conversation) || TEXTS.inbox.unnamed}</span>
      <Time at={updatedAt} />
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
