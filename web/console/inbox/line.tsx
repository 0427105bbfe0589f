import { Actions } from '../../components/actions.tsx';
import { Avatar } from '../../components/avatar.tsx';
import { Content } from '../../components/content.tsx';
import { Items } from '../../components/items.tsx';
import { visibleName } from '../../components/shown-text.ts';
import { PicturesOnRequest } from '../../components/picture.tsx';
import type { ChatMessage } from '../../components/types.ts';
import { TEXTS } from '../texts.ts';
import type { TimelineMessage } from './conversation.ts';

/** One message. What only the staff sees is told apart by words as well as by colour. */
export function Line({ message }: { message: TimelineMessage }) {
  const { id, type, role = 'bot', isBackchannel, createdAt, processedAt, items = [], actions = [] } = message;
  const isTalk = ['chat', 'card', 'postback', 'mention'].includes(type);
  const kinds = ['line', isTalk ? role : 'note', ...(isBackchannel ? ['backchannel'] : [])];
  return (
    <li class={kinds.join(' ')} id={id}>
      <p class="author">
        {message.author ? <Avatar author={message.author} /> : null}
        <strong>{describeAuthor(message)}</strong>
        {isTalk ? null : <span class="kind">{type}</span>}
        {isBackchannel ? <span class="kind">{TEXTS.inbox.backchannel}</span> : null}
        <time dateTime={processedAt ?? createdAt} title={new Date(processedAt ?? createdAt).toLocaleString()}>
          {new Date(processedAt ?? createdAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
        </time>
      </p>
      <PicturesOnRequest.Provider value={isFromOutside(message)}>
        <Content message={toChatMessage(message)} />
        <Items items={items} press={doNothing} />
        <Actions actions={actions} press={doNothing} />
      </PicturesOnRequest.Provider>
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

/** What no user wrote: a contact's message has no author (spec 12.2). */
function isFromOutside({ author, role }: TimelineMessage): boolean {
  return role === 'contact' || !author;
}

function describeAuthor({ author, role = 'bot' }: TimelineMessage): string {
  return visibleName(author) ?? TEXTS.roles[role] ?? role;
}

function toChatMessage(message: TimelineMessage): ChatMessage {
  const { author: _, ...shown } = message;
  return { ...shown, type: 'chat', at: message.createdAt };
}

// The buttons are the contact's: here they are only seen.
function doNothing(): void {
  return undefined;
}
