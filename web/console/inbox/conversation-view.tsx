import type { ComponentChildren } from 'preact';
import { useEffect, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { Behind, Empty, Loading, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { formatHref } from '../route.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { Actions } from './actions.tsx';
import { getTitle, getUnreadCount } from './conversation.ts';
import type { Conversation, TimelineMessage } from './conversation.ts';
import { Facts } from './facts.tsx';
import { Reply } from './reply.tsx';
import { useConversation } from './use-conversation.ts';
import { Links } from './links.tsx';
import type { LinksProps } from './links.tsx';
import { stripOverrides } from '../../components/shown-text.ts';
import { Confirm } from '../parts/dialog.tsx';
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
  const { conversation, messages, connection, error } = live;
  const [showsFacts, setShowsFacts] = useState(false);
  useRead(conversation, session.user, messages.length);
  if (connection === 'gone') return <Empty>{TEXTS.inbox.gone}</Empty>;
  if (!conversation) return error ? <Problem error={error} /> : <Loading />;
  const title = getTitle(conversation) || TEXTS.inbox.unnamed;
  return (
    <>
      <article class="conversation" aria-label={title}>
        <Head title={title} status={conversation.status} list={list}>
          {isBeside ? null : <FactsToggle isOpen={showsFacts} toggle={() => setShowsFacts(!showsFacts)} />}
        </Head>
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

function FactsToggle({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  return (
    <button type="button" class="quiet facts-toggle" aria-expanded={isOpen} onClick={toggle}>
      {TEXTS.inbox.facts}
    </button>
  );
}

interface HeadProps {
  title: string;
  status: Conversation['status'];
  list: string;
  children: ComponentChildren;
}

function Head({ title, status, list, children }: HeadProps) {
  return (
    <header>
      <a class="back" href={formatHref('inbox', list)} aria-label={TEXTS.back}>
        ←
      </a>
      <h1>{title}</h1>
      <span class={`badge ${status}`}>{TEXTS.statuses[status]}</span>
      {children}
    </header>
  );
}

/** Marks the conversation as read while the page is visible. */
function useRead(conversation: Conversation | undefined, user: string, shown: number): void {
  const unread = conversation ? getUnreadCount(conversation, user) : 0;
  const id = conversation?.id;
  useEffect(() => {
    if (unread === 0 || id === undefined) return undefined;
    const read = () => {
      if (!document.hidden) void api('PUT', `/conversations/${id}/read`).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread, shown]);
}

function ChatPage({ conversation, temporal }: LinksProps) {
  // Use only the path, because the server's public host may differ from the address in use. The
  // hash focuses the chat page.
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
  const [cancelled, setCancelled] = useState<TimelineMessage>();
  if (messages.length === 0) return null;
  return (
    <section class="delayed" aria-label={TEXTS.inbox.delayed}>
      <h2>{TEXTS.inbox.delayed}</h2>
      <ul>
        {messages.map((message) => (
          <li key={message.id}>
            <span class="text">{stripOverrides(message.text)}</span> <Time at={formatDueTime(message)} />{' '}
            {mayCancel ? (
              <button type="button" class="quiet" onClick={() => setCancelled(message)}>
                {TEXTS.cancel}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {cancelled ? (
        <Confirm
          title={TEXTS.inbox.cancelDelayed}
          word={TEXTS.inbox.doNotSend}
          act={() => api('DELETE', `/messages/${cancelled.id}`).then(done)}
          close={() => setCancelled(undefined)}
        >
          <blockquote>{stripOverrides(cancelled.text)}</blockquote>
        </Confirm>
      ) : null}
    </section>
  );
}

function formatDueTime({ createdAt, delay = 0 }: TimelineMessage): string {
  return new Date(new Date(createdAt).getTime() + delay).toISOString();
}

const NEAR_PX = 80;

/**
 * Follows new messages unless the reader scrolled up. Keeps the scroll position when earlier
 * messages load.
 */
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
        <button type="button" class="earlier" disabled={isReading} onClick={() => void earlier()}>
          {TEXTS.inbox.earlier}
        </button>
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
