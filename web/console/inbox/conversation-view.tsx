import { useEffect, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Behind, Empty, Pending } from '../parts/notices.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { Actions } from './actions.tsx';
import { getTitle, getUnreadCount } from './conversation.ts';
import type { InboxConversation, TimelineMessage } from './conversation.ts';
import { Facts, Links } from './facts.tsx';
import type { LinksProps } from './facts.tsx';
import { Reply } from './reply.tsx';
import { useConversation } from './use-conversation.ts';
import { stripOverrides } from '../../components/shown-text.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Time } from '../parts/time.tsx';
import { Stretches } from './stretches.tsx';
import type { LiveConversation } from './use-conversation.ts';

interface Props {
  id: string;
  session: Session;
  list: string;
  isBeside: boolean;
}

export function ConversationView({ id, session, list, isBeside }: Props) {
  const live = useConversation(id);
  const { conversation, messages, connection } = live;
  const [showsFacts, setShowsFacts] = useState(false);
  useRead(conversation, session.user, messages.length);
  if (connection === 'gone') return <Empty>{TEXTS.inbox.gone}</Empty>;
  if (!conversation) return <Pending query={{ error: live.error }} />;
  const title = getTitle(conversation) || TEXTS.inbox.unnamed;
  return (
    <>
      <article class="conversation" aria-label={title}>
        <header>
          <a class="back" href={formatHref('inbox', list)} aria-label={TEXTS.back}>
            ←
          </a>
          <h1>{title}</h1>
          <span class={`badge ${conversation.status}`}>{TEXTS.statuses[conversation.status]}</span>
          {isBeside ? null : (
            <Button
              word={TEXTS.inbox.facts}
              class="quiet facts-toggle"
              aria-expanded={showsFacts}
              press={() => setShowsFacts(!showsFacts)}
            />
          )}
        </header>
        <Actions conversation={conversation} session={session} done={live.again} />
        {connection === 'offline' ? <Behind /> : null}
        <Timeline live={live} />
        <Delayed messages={live.delayed} mayCancel={session.scope === 'admin'} done={live.again} />
        <Reply conversation={conversation} user={session.user} isBeside={isBeside} done={live.again} />
      </article>
      {isBeside ? (
        <ChatPage conversation={conversation} temporal={session.temporal} />
      ) : (
        <Facts
          conversation={conversation}
          session={session}
          isOpen={showsFacts}
          close={() => setShowsFacts(false)}
        />
      )}
    </>
  );
}

function useRead(conversation: InboxConversation | undefined, user: string, shown: number): void {
  const unread = conversation ? getUnreadCount(conversation, user) : 0;
  const id = conversation?.id;
  useEffect(() => {
    if (unread === 0 || id === undefined) return undefined;
    const read = () => {
      if (document.hidden) return;
      client.call('PUT /conversations/{id}/read', { path: { id } }).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread, shown]);
}

function ChatPage({ conversation, temporal }: LinksProps) {
  // The server's public host may differ from the address in use.
  const page = `c/${conversation.url.split('/c/').at(-1) ?? ''}#write`;
  return (
    <aside class="chat-page" aria-label={TEXTS.inbox.beside}>
      <header>
        <h2>{TEXTS.inbox.beside}</h2>
        <a href={formatHref('inbox', 'all', conversation.id)}>{TEXTS.inbox.closeBeside}</a>
        <Links conversation={conversation} temporal={temporal} />
      </header>
      <iframe src={page} title={TEXTS.inbox.chatPage} />
    </aside>
  );
}

interface DelayedProps {
  messages: readonly TimelineMessage[];
  mayCancel: boolean;
  done: () => void;
}

function Delayed({ messages, mayCancel, done }: DelayedProps) {
  if (messages.length === 0) return null;
  return (
    <section class="delayed" aria-label={TEXTS.inbox.delayed}>
      <h2>{TEXTS.inbox.delayed}</h2>
      <ul>
        {messages.map(({ id, text, createdAt, delay = 0 }) => (
          <li key={id}>
            <span class="text">{stripOverrides(text)}</span>{' '}
            <Time at={new Date(Date.parse(createdAt) + delay).toISOString()} />{' '}
            {mayCancel ? (
              <ConfirmButton
                word={TEXTS.cancel}
                title={TEXTS.inbox.cancelDelayed}
                confirm={TEXTS.inbox.doNotSend}
                class="quiet"
                act={() => client.call('DELETE /messages/{id}', { path: { id } }).then(done)}
              >
                <blockquote>{stripOverrides(text)}</blockquote>
              </ConfirmButton>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

const NEAR_PX = 80;

function Timeline({ live }: { live: LiveConversation }) {
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
        <Button word={TEXTS.inbox.earlier} class="earlier" disabled={isReading} press={earlier} />
      ) : null}
      <Stretches messages={messages} log={log} />
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
