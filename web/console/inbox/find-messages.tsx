import { useState } from 'preact/hooks';
import { Empty, Pending } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { formatHrefWith, useRoutePath, useRouteQuery } from '../route.ts';
import { INBOX_WORDS } from './texts.ts';
import type { InboxConversation } from './conversation.ts';
import { describeMessage, searchMessages, useSearch } from './message-search.ts';
import { Quote } from './row.tsx';

interface Props {
  conversation: InboxConversation;
  /** Called when the agent chooses a message. */
  close: () => void;
}

/** Searches the messages of a conversation (spec 6.12). A result scrolls to its message. */
export function FindMessages({ conversation, close }: Props) {
  const [words, setWords] = useState('');
  return (
    <div class="find-messages">
      <input
        type="search"
        aria-label={INBOX_WORDS.findIn}
        placeholder={INBOX_WORDS.findIn}
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {words.trim() === '' ? null : <Found {...{ conversation, close }} words={words.trim()} />}
    </div>
  );
}

function Found({ conversation, close, words }: Props & { words: string }) {
  const query = useSearch(words, (q, signal) => searchMessages({ q, conversation: conversation.id }, signal));
  const path = useRoutePath();
  const given = useRouteQuery();
  if (query.error || !query.value) return <Pending query={query} />;
  const { words: searched, found: messages } = query.value;
  if (messages === null) return <p class="hint">{INBOX_WORDS.tooCommon}</p>;
  if (messages.length === 0) return <Empty>{INBOX_WORDS.nothingFound(searched)}</Empty>;
  return (
    <ul class="found-messages">
      {messages.map((message) => {
        const found = describeMessage(message, searched);
        return (
          <li key={message.id}>
            <a href={formatHrefWith({ ...given, message: message.id }, ...path)} onClick={close}>
              <Quote found={found} conversation={conversation} />
              <Time at={found.at} />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
