import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Actions } from '../../components/actions.tsx';
import { Avatar } from '../../components/avatar.tsx';
import { Content } from '../../components/content.tsx';
import { Items } from '../../components/items.tsx';
import type { Message } from '../../components/types.ts';
import { TEXTS } from '../texts.ts';
import type { TimelineMessage } from './conversation.ts';
import type { LiveConversation } from './use-conversation.ts';

const NEAR_PX = 80;

/**
 * What was said, newest at the bottom. It stays at the bottom unless the reader has scrolled up,
 * and where they are when earlier messages come.
 */
export function Timeline({ live }: { live: LiveConversation }) {
  const { messages, hasEarlier, typing, readEarlier } = live;
  const { log, noteScroll } = useKeptScroll(messages, typing);
  const [isReading, setReading] = useState(false);
  const earlier = async () => {
    setReading(true);
    await readEarlier().catch(() => undefined);
    setReading(false);
  };
  return (
    <div
      class="timeline"
      role="log"
      aria-label={TEXTS.inbox.messages}
      tabIndex={0}
      ref={log}
      onScroll={noteScroll}
    >
      {hasEarlier ? (
        <button type="button" class="earlier" disabled={isReading} onClick={() => void earlier()}>
          {TEXTS.inbox.earlier}
        </button>
      ) : null}
      <ol>
        {messages.map((message) => (
          <Line key={message.id} message={message} />
        ))}
      </ol>
      {typing.map((role, at) => (
        <p key={at} class="typing">
          {TEXTS.inbox.typing(role)}
        </p>
      ))}
    </div>
  );
}

function useKeptScroll(messages: readonly TimelineMessage[], typing: readonly string[]) {
  const log = useRef<HTMLDivElement>(null);
  const before = useRef({ height: 0, first: '', isAtEnd: true });
  const first = messages[0]?.id ?? '';
  useLayoutEffect(() => {
    const { current } = log;
    if (!current) return;
    if (before.current.isAtEnd) current.scrollTop = current.scrollHeight;
    else if (first !== before.current.first)
      current.scrollTop += current.scrollHeight - before.current.height;
    before.current = { ...before.current, height: current.scrollHeight, first };
  }, [messages, typing]);
  const noteScroll = () => {
    const { current } = log;
    if (!current) return;
    const isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    before.current = { ...before.current, height: current.scrollHeight, isAtEnd };
  };
  return { log, noteScroll };
}

/** One message. What only the staff sees is told apart by words as well as by colour. */
function Line({ message }: { message: TimelineMessage }) {
  const { id, type, role = 'bot', isBackchannel, createdAt, processedAt, items = [], actions = [] } = message;
  const isTalk = ['chat', 'card', 'postback', 'mention'].includes(type);
  const kinds = ['line', isTalk ? role : 'note', ...(isBackchannel ? ['backchannel'] : [])];
  return (
    <li class={kinds.join(' ')} id={id}>
      <p class="author">
        {message.author ? <Avatar author={message.author} /> : null}
        <strong>{authorOf(message)}</strong>
        {isTalk ? null : <span class="kind">{type}</span>}
        {isBackchannel ? <span class="kind">{TEXTS.inbox.backchannel}</span> : null}
        <time dateTime={processedAt ?? createdAt} title={new Date(processedAt ?? createdAt).toLocaleString()}>
          {new Date(processedAt ?? createdAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
        </time>
      </p>
      <Content message={asShown(message)} />
      <Items items={items} press={doNothing} />
      <Actions actions={actions} press={doNothing} />
      <Results message={message} />
    </li>
  );
}

function Results({ message: { results = [] } }: { message: TimelineMessage }) {
  return (
    <>
      {results.map(({ form, formName, values = {} }) => (
        <dl key={form} class="result">
          <dt>{formName ?? form}</dt>
          {Object.entries(values).map(([key, value]) => (
            <dd key={key}>
              {key}: {String(value)}
            </dd>
          ))}
        </dl>
      ))}
    </>
  );
}

function authorOf({ author, role = 'bot' }: TimelineMessage): string {
  return author?.name ?? TEXTS.roles[role] ?? role;
}

function asShown(message: TimelineMessage): Message {
  const { author: _, ...shown } = message;
  return { ...shown, type: 'chat', at: message.createdAt };
}

// The buttons are the contact's: here they are only seen.
function doNothing(): void {
  return undefined;
}
