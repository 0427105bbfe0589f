import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Behind, Empty, Loading, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { formatHref } from '../route.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { Actions } from './actions.tsx';
import { getTitle, getUnreadCount } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { ChatPage } from './chat-page.tsx';
import { Delayed } from './delayed.tsx';
import { Facts } from './facts.tsx';
import { Reply } from './reply.tsx';
import { Timeline } from './timeline.tsx';
import { useConversation } from './use-conversation.ts';

interface Props {
  id: string;
  session: Session;
  /** The list that one came from. */
  list: string;
  /** Whether its chat page is shown as well. */
  isBeside: boolean;
}

/** One conversation: what was said, what can be done, where to reply, and what is known of it. */
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

/** What is on the screen while one looks is read. */
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
