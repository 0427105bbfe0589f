import { Empty, Pending } from '../parts/notices.tsx';
import { client } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { LIST_SHAPE } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { EVERYTHING, narrowFilter } from './filters.ts';
import { Selectable, Windowed } from './lists.tsx';
import type { ListProps } from './lists.tsx';
import { MOST_FOUND, describeMessage, searchMessages, useSearch } from './message-search.ts';
import type { FoundMessage } from './row.tsx';

/** Lists matches by name, form or contact first, then matches by messages. */
export function SearchResults({ words, ...props }: ListProps & { words: string }) {
  const { criteria, session } = props;
  const query = useSearch(words, search);
  const filter = narrowFilter(EVERYTHING, criteria);
  const found = (query.value?.found.items ?? []).filter((one) => filter.takes(one, session.user));
  return (
    <Selectable {...props} items={found}>
      {(selection) => {
        if (query.error || !query.value) return <Pending query={query} />;
        const {
          words: searched,
          found: { messages, isPartial },
        } = query.value;
        return (
          <>
            {isPartial ? <p class="hint">{INBOX_WORDS.onlyConversations}</p> : null}
            {found.length === 0 ? (
              <Empty>{INBOX_WORDS.nothingFound(searched)}</Empty>
            ) : (
              <Windowed
                {...props}
                items={found}
                label={INBOX_WORDS.found}
                selection={selection}
                messages={messages}
              />
            )}
          </>
        );
      }}
    </Selectable>
  );
}

interface Found {
  items: InboxConversation[];
  /** The newest message that matches, by the id of its conversation. */
  messages: ReadonlyMap<string, FoundMessage>;
  /** True if the words are too common for a search of the messages. */
  isPartial: boolean;
}

async function search(q: string, signal: AbortSignal): Promise<Found> {
  const [named, said] = await Promise.all([
    client.call('GET /conversations/search', { query: { q, limit: MOST_FOUND, ...LIST_SHAPE }, signal }),
    searchMessages({ q }, signal),
  ]);
  const known = new Set(named.map(({ id }) => id));
  const messages = new Map<string, FoundMessage>();
  for (const message of said ?? []) {
    const { conversation } = message;
    if (known.has(conversation) || messages.has(conversation)) continue;
    messages.set(conversation, describeMessage(message, q));
  }
  const others = await loadConversations([...messages.keys()], signal);
  return { items: [...named, ...others], messages, isPartial: said === null };
}

/** Keeps the order of the ids. */
async function loadConversations(ids: readonly string[], signal: AbortSignal): Promise<InboxConversation[]> {
  if (ids.length === 0) return [];
  const query = { id: `[${ids.join(',')}]`, limit: MOST_FOUND, ...LIST_SHAPE };
  const found: InboxConversation[] = await client.call('GET /conversations', { query, signal });
  const byId = new Map(found.map((one) => [one.id, one]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
