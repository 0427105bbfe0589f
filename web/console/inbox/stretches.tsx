import { Component } from 'preact';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineMessage } from './conversation.ts';
import { Actions, Items } from '../../components/items.tsx';
import { Avatar, PicturesOnRequest } from '../../components/picture.tsx';
import { Content } from '../../components/content.tsx';
import { visibleName } from '../../components/shown-text.ts';
import { TEXTS } from '../texts.ts';

const LENGTH = 25;
const AROUND = '1500px 0px';

interface Props {
  messages: readonly TimelineMessage[];
  log: RefObject<HTMLElement | null>;
}

/** Groups messages in blocks of at most 25. Only blocks near the viewport are rendered. */
export function Stretches({ messages, log }: Props) {
  const stretches = new Map<number, TimelineMessage[]>();
  for (const message of messages) {
    const number = Math.floor((message.sequence ?? 0) / LENGTH);
    const begun = stretches.get(number);
    if (begun) begun.push(message);
    else stretches.set(number, [message]);
  }
  return (
    <>
      {[...stretches].map(([number, some]) => (
        <Unchanged key={number} messages={some} log={log} />
      ))}
    </>
  );
}

class Unchanged extends Component<Props> {
  override shouldComponentUpdate({ messages }: Props): boolean {
    const before = this.props.messages;
    return messages.length !== before.length || messages.some((one, at) => one !== before[at]);
  }

  override render({ messages, log }: Props) {
    return <Stretch messages={messages} log={log} />;
  }
}

function Stretch({ messages, log }: Props) {
  const list = useRef<HTMLOListElement>(null);
  // Height of a block that is not rendered.
  const [leftAt, setLeftAt] = useState<number | undefined>(undefined);
  useEffect(() => {
    const { current } = list;
    if (!current) return undefined;
    const observer = new IntersectionObserver(
      (seen) => {
        for (const { isIntersecting, boundingClientRect } of seen)
          setLeftAt(isIntersecting ? undefined : boundingClientRect.height);
      },
      { root: log.current, rootMargin: AROUND },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [log]);
  return (
    <ol ref={list} style={leftAt === undefined ? undefined : { height: `${leftAt}px` }}>
      {leftAt === undefined ? messages.map((message) => <Line key={message.id} message={message} />) : null}
    </ol>
  );
}

function Line({ message }: { message: TimelineMessage }) {
  const {
    id,
    type,
    role = 'bot',
    isBackchannel,
    author,
    createdAt,
    processedAt,
    items = [],
    actions = [],
  } = message;
  // Messages of contacts have no author (spec 12.2).
  const isFromOutside = role === 'contact' || !author;
  const isTalk = ['chat', 'card', 'postback', 'mention'].includes(type);
  const kinds = ['line', isTalk ? role : 'note', ...(isBackchannel ? ['backchannel'] : [])];
  return (
    <li class={kinds.join(' ')} id={id}>
      <p class="author">
        {author ? <Avatar author={author} /> : null}
        <strong>{visibleName(author) ?? TEXTS.roles[role] ?? role}</strong>
        {isTalk ? null : <span class="kind">{type}</span>}
        {isBackchannel ? <span class="kind">{TEXTS.inbox.backchannel}</span> : null}
        <time dateTime={processedAt ?? createdAt} title={new Date(processedAt ?? createdAt).toLocaleString()}>
          {new Date(processedAt ?? createdAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
        </time>
      </p>
      <PicturesOnRequest.Provider value={isFromOutside}>
        <Content message={message} />
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

// Agents see the quick replies of a message but cannot press them.
function doNothing(): void {
  return undefined;
}
