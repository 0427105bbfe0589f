import { useEffect, useMemo, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Behind, Empty, Pending } from '../parts/notices.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { LOCALE, localize } from '../language.ts';
import { TEXTS } from '../texts.ts';
import { Actions } from './actions.tsx';
import {
  getTitle,
  getUnreadCount,
  getUserId,
  getUserName,
  isContactBlocked,
  isInboxToRead,
  joinNames,
} from './conversation.ts';
import type { InboxConversation, TimelineMessage } from './conversation.ts';
import { getDraftName, useDraft } from './composer.ts';
import { announceGone } from './changes.tsx';
import { Facts, Links } from './facts.tsx';
import type { LinksProps } from './facts.tsx';
import { Reply } from './reply.tsx';
import { useConversation } from './use-conversation.ts';
import { hasVisibleText, stripOverrides } from '../../components/shown-text.ts';
import { TEXTS as PAGE_PARTS } from '../../components/texts.ts';
import { useBusy } from '../../components/use-busy.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Time } from '../parts/time.tsx';
import { formatMoment, INBOX_WORDS } from './texts.ts';
import { buildEntries } from './entries.ts';
import { Stretches } from './stretches.tsx';
import { useTeams } from './teams.tsx';
import type { LiveConversation } from './use-conversation.ts';

/** Texts of the parts that the console shares with the chat page. */
localize('page', PAGE_PARTS);

interface Props {
  id: string;
  session: Session;
  /** Address of the list. */
  back: string;
  isBeside: boolean;
  /** Id of the message to show. */
  anchor: string | undefined;
}

export function ConversationView({ id, session, back, isBeside, anchor }: Props) {
  const live = useConversation(id);
  const { conversation, messages, connection } = live;
  const [showsFacts, setShowsFacts] = useState(false);
  useRead(conversation, session.user, messages.length);
  if (connection === 'gone') return <Gone id={id} user={session.user} />;
  if (!conversation) return <Pending query={{ error: live.error }} />;
  const title = getTitle(conversation);
  return (
    <>
      <article class="conversation" aria-label={title}>
        <header>
          <a class="back" href={back} aria-label={TEXTS.back}>
            ←
          </a>
          <h1>{title}</h1>
          <span class={`badge ${conversation.status}`}>{TEXTS.statuses[conversation.status]}</span>
          {isContactBlocked(conversation) ? <span class="badge failed">{TEXTS.blocked}</span> : null}
          <SnoozedUntil at={conversation.snoozedUntil} />
          <Actions conversation={conversation} session={session} done={live.again} />
          {isBeside ? null : (
            <Button
              word={INBOX_WORDS.facts}
              class="quiet facts-toggle"
              aria-expanded={showsFacts}
              press={() => setShowsFacts(!showsFacts)}
            />
          )}
        </header>
        {connection === 'offline' ? <Behind /> : null}
        <Timeline live={live} conversation={conversation} user={session.user} anchor={anchor} />
        <Delayed messages={live.delayed} session={session} done={live.again} />
        <TakenByOthers conversation={conversation} user={session.user} />
        <Reply
          {...{ conversation, session, isBeside }}
          failures={messages.filter(({ delivery }) => delivery?.status === 'failed').length}
          done={live.again}
        />
      </article>
      {isBeside ? (
        <ChatPage conversation={conversation} temporal={session.temporal} />
      ) : (
        <Facts
          conversation={conversation}
          session={session}
          isOpen={showsFacts}
          close={() => setShowsFacts(false)}
          done={live.again}
        />
      )}
    </>
  );
}

function Gone({ id, user }: { id: string; user: string }) {
  useEffect(() => announceGone(id), [id]);
  const name = getDraftName(user, id);
  const unsent = [useDraft(name), useDraft(`${name}:note`)].map(({ now }) => now.text);
  return (
    <div class="nothing-chosen">
      <Empty>{INBOX_WORDS.gone}</Empty>
      {unsent.filter(hasVisibleText).map((text, at) => (
        <blockquote key={at}>{text}</blockquote>
      ))}
    </div>
  );
}

function SnoozedUntil({ at }: { at: string | undefined }) {
  if (at === undefined) return null;
  return (
    <time class="badge pending" dateTime={at} title={new Date(at).toLocaleString(LOCALE)}>
      {INBOX_WORDS.snoozed(formatMoment(at))}
    </time>
  );
}

/** Warns before two agents reply to the same contact. */
function TakenByOthers({ conversation, user }: { conversation: InboxConversation; user: string }) {
  const accepted = conversation.participants.filter((one) => one.accepted);
  const isMine = accepted.some((one) => getUserId(one.user) === user);
  if (conversation.status !== 'active' || isMine || accepted.length === 0) return null;
  const words = accepted.length === 1 ? INBOX_WORDS.takenBy : INBOX_WORDS.takenByMany;
  return (
    <p class="taken" role="status">
      {words(joinNames(accepted.map((one) => getUserName(one.user))))}
    </p>
  );
}

function useRead(conversation: InboxConversation | undefined, user: string, shown: number): void {
  const unread = conversation ? getUnreadCount(conversation, user) : 0;
  const isToRead = unread > 0 || (conversation !== undefined && isInboxToRead(conversation, user));
  const id = conversation?.id;
  useEffect(() => {
    if (!isToRead || id === undefined) return undefined;
    const read = () => {
      if (document.hidden) return;
      client.call('PUT /conversations/{id}/read', { path: { id } }).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread, isToRead, shown]);
}

function ChatPage({ conversation, temporal }: LinksProps) {
  // The server's public host may differ from the address in use.
  const page = `c/${conversation.url.split('/c/').at(-1) ?? ''}#agent`;
  return (
    <aside class="chat-page" aria-label={INBOX_WORDS.beside}>
      <header>
        <h2>{INBOX_WORDS.beside}</h2>
        <a href={formatHref('inbox', 'all', conversation.id)}>{INBOX_WORDS.closeBeside}</a>
        <Links conversation={conversation} temporal={temporal} />
      </header>
      <iframe src={page} title={INBOX_WORDS.chatPage} />
    </aside>
  );
}

interface DelayedProps {
  messages: readonly TimelineMessage[];
  session: Session;
  done: () => void;
}

function Delayed({ messages, session, done }: DelayedProps) {
  const name = getDraftName(session.user, messages[0]?.conversation ?? '');
  const drafts = { reply: useDraft(name), note: useDraft(`${name}:note`) };
  if (messages.length === 0) return null;
  const cancel = async ({ id, type, text, contentType, isBackchannel, createdBy }: TimelineMessage) => {
    await client.call('DELETE /messages/{id}', { path: { id } });
    const draft = isBackchannel ? drafts.note : drafts.reply;
    const isWritten = type === 'chat' && contentType === 'text/plain' && createdBy === session.user;
    if (isWritten && !hasVisibleText(draft.now.text)) draft.change({ text });
    done();
  };
  return (
    <section class="delayed" aria-label={INBOX_WORDS.delayed}>
      <h2>{INBOX_WORDS.delayed}</h2>
      <ul>
        {messages.map((message) => (
          <li key={message.id}>
            <span class="text">{stripOverrides(message.text)}</span> <Time at={getSendTime(message)} />{' '}
            {session.scope === 'admin' || message.createdBy === session.user ? (
              <ConfirmButton
                word={INBOX_WORDS.doNotSend}
                title={INBOX_WORDS.cancelDelayed}
                dismiss={INBOX_WORDS.sendAsPlanned}
                class="quiet"
                act={() => cancel(message)}
              >
                <blockquote>{stripOverrides(message.text)}</blockquote>
              </ConfirmButton>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function getSendTime({ sendAt, createdAt, delay = 0 }: TimelineMessage): string {
  return sendAt ?? new Date(Date.parse(createdAt) + delay).toISOString();
}

const NEAR_PX = 80;

interface TimelineProps {
  live: LiveConversation;
  conversation: InboxConversation;
  user: string;
  anchor: string | undefined;
}

function Timeline({ live, conversation, user, anchor }: TimelineProps) {
  const { messages, hasEarlier, typing, readEarlier } = live;
  const { nameTeam } = useTeams();
  const names = new Map(conversation.participants.map((one) => [getUserId(one.user), getUserName(one.user)]));
  for (const { author } of messages) if (author?.name) names.set(author.id, author.name);
  const known = JSON.stringify([...names]);
  const entries = useMemo(
    () => buildEntries(messages, { nameUser: (id) => names.get(id) ?? INBOX_WORDS.somebody, nameTeam }),
    [messages, known, nameTeam],
  );
  const writers = typing.filter((one) => one.user !== user);
  const contact = getTitle(conversation);
  const kept = useKeptScroll(messages, typing);
  const busy = useBusy();
  const earlier = () => busy.run(readEarlier);
  useAnchor(anchor, { ...live, readEarlier: earlier }, kept);
  return (
    <div
      class="timeline"
      role="log"
      aria-label={INBOX_WORDS.messages}
      aria-busy={busy.isBusy}
      tabIndex={0}
      ref={kept.log}
      onScroll={kept.noteScroll}
    >
      {hasEarlier ? (
        <Button word={INBOX_WORDS.earlier} class="earlier" disabled={busy.isBusy} press={earlier} />
      ) : null}
      <Stretches entries={entries} contact={contact} log={kept.log} anchor={anchor} />
      {writers.map(({ user: writer, role }) => (
        <p key={writer ?? role} class="typing">
          {INBOX_WORDS.typing(writer === undefined ? contact : (names.get(writer) ?? INBOX_WORDS.somebody))}
        </p>
      ))}
    </div>
  );
}

/** Pages of 100 messages before the newest messages. */
const MAX_PAGES = 50;

/** Loads earlier messages until the message is loaded, and scrolls to the message once. */
function useAnchor(
  anchor: string | undefined,
  { messages, hasEarlier, readEarlier }: LiveConversation,
  { log, noteScroll }: ReturnType<typeof useKeptScroll>,
): void {
  const progress = useRef({ shown: '', pages: 0 });
  const isLoaded = messages.some(({ id }) => id === anchor);
  const first = messages[0]?.id;
  useLayoutEffect(() => {
    const { shown, pages } = progress.current;
    if (anchor === undefined || shown === anchor) return;
    if (isLoaded) {
      progress.current = { shown: anchor, pages: 0 };
      log.current?.querySelector(`[id="${CSS.escape(anchor)}"]`)?.scrollIntoView({ block: 'center' });
      noteScroll();
    } else if (hasEarlier && pages < MAX_PAGES) {
      progress.current = { shown, pages: pages + 1 };
      void readEarlier();
    }
  }, [anchor, isLoaded, first, hasEarlier]);
}

function useKeptScroll(messages: readonly TimelineMessage[], typing: readonly unknown[]) {
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
  useEffect(() => {
    const { current } = log;
    if (!current) return undefined;
    // Messages that wait to be sent and a growing composer make the log lower.
    const observer = new ResizeObserver(() => {
      if (before.current.isAtEnd) current.scrollTop = current.scrollHeight;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const noteScroll = () => {
    const { current } = log;
    if (!current) return;
    const isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    before.current = { ...before.current, height: current.scrollHeight, isAtEnd };
  };
  return { log, noteScroll };
}
