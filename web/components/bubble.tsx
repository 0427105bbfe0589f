import { Actions } from './actions.tsx';
import { Avatar } from './avatar.tsx';
import { Content } from './content.tsx';
import { Items } from './items.tsx';
import { LANGUAGE, TEXTS } from './texts.ts';
import { stripOverrides, hasVisibleText, visibleName } from './shown-text.ts';
import type { Action, ChatMessage, Outgoing } from './types.ts';

interface Props {
  message: ChatMessage;
  isLast: boolean;
  /** The newest message of the reader's that the other side has read. */
  isRead: boolean;
  press: (action: Action) => void;
}

/**
 * One message. Quick replies are offered only while it is the last: afterwards they would answer
 * something else.
 */
export function Bubble({ message, isLast, isRead, press }: Props) {
  const { role = 'bot', author, at, actions = [], items = [], slug } = message;
  if (isEmpty(message)) return null;
  const lasting = actions.filter((action) => !isQuickReply(action));
  const fleeting = isLast ? actions.filter(isQuickReply) : [];
  return (
    <li class={`message ${role}`} id={slug}>
      <article>
        <p class="author">
          {author ? <Avatar author={author} /> : null}
          <bdi class={role === 'contact' ? 'hidden' : ''}>
            {visibleName(author) ?? TEXTS.authors[role]}
          </bdi>{' '}
          <time dateTime={at}>{formatTime(at)}</time>
        </p>
        <Content message={message} />
        <Items items={items} press={press} />
        <Actions actions={lasting} press={press} />
        {isRead ? <p class="read">{TEXTS.read}</p> : null}
      </article>
      <Actions actions={fleeting} press={press} />
    </li>
  );
}

/** Something said here that has not arrived yet. */
export function OutgoingBubble({
  outgoing,
  discard,
}: {
  outgoing: Outgoing;
  discard: (key: string) => void;
}) {
  const { key, text, label, refused } = outgoing;
  return (
    <li class={`message contact ${refused === undefined ? 'waiting' : 'refused'}`}>
      <article>
        <p class="author">
          <span class="hidden">{TEXTS.authors.contact}</span>{' '}
          {refused === undefined ? TEXTS.sending : TEXTS.notSent}
        </p>
        <div class="text">{stripOverrides(label ?? text)}</div>
        {refused === undefined ? null : (
          <p class="why" role="alert">
            {TEXTS.refused} <span lang="en">{refused}</span>{' '}
            <button type="button" onClick={() => discard(key)}>
              {TEXTS.remove}
            </button>
          </p>
        )}
      </article>
    </li>
  );
}

/** Nothing in it can be seen. */
function isEmpty({ text, contentType, actions = [], items = [] }: ChatMessage): boolean {
  const isHtml = contentType === 'text/html' && !/<(?:img|hr)\b/i.test(text);
  const words = isHtml ? text.replace(/<[^>]*>|&(?:nbsp|shy|zwnj|zwj);/gi, '') : text;
  return !hasVisibleText(words) && actions.length === 0 && items.length === 0;
}

function isQuickReply({ type }: Action): boolean {
  return type === 'reply' || type === 'locationRequest';
}

function formatTime(at: string): string {
  return new Date(at).toLocaleTimeString(LANGUAGE, { hour: '2-digit', minute: '2-digit' });
}
