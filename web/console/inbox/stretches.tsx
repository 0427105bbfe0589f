import { Component } from 'preact';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Actions, Items } from '../../components/items.tsx';
import { PicturesOnRequest } from '../../components/picture.tsx';
import { Content } from '../../components/content.tsx';
import { visibleName } from '../../components/shown-text.ts';
import { useToday } from '../../components/today.ts';
import { Avatar } from '../parts/avatar.tsx';
import { LOCALE } from '../language.ts';
import { INBOX_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { DeliveryMark } from './delivery-mark.tsx';
import { getTime } from './entries.ts';
import type { TimelineEntry } from './entries.ts';
import { isRating } from './history.ts';
import { MailFacts } from './mail-facts.tsx';

const LENGTH = 25;
const AROUND = '1500px 0px';

interface Props {
  entries: readonly TimelineEntry[];
  contact: string;
  log: RefObject<HTMLElement | null>;
  /** Id of a marked message, whose block stays rendered. */
  anchor: string | undefined;
}

/** Groups messages in blocks of at most 25. Only blocks near the viewport are rendered. */
export function Stretches({ entries, ...props }: Props) {
  const stretches = new Map<number, TimelineEntry[]>();
  for (const entry of entries) {
    const number = Math.floor((entry.message.sequence ?? 0) / LENGTH);
    const begun = stretches.get(number);
    if (begun) begun.push(entry);
    else stretches.set(number, [entry]);
  }
  return (
    <>
      {[...stretches].map(([number, some]) => (
        <Unchanged key={number} entries={some} {...props} />
      ))}
    </>
  );
}

class Unchanged extends Component<Props> {
  override shouldComponentUpdate({ entries, contact, anchor }: Props): boolean {
    const { entries: before, contact: named, anchor: marked } = this.props;
    return (
      contact !== named ||
      anchor !== marked ||
      entries.length !== before.length ||
      entries.some((one, at) => !isSame(one, before[at]))
    );
  }

  override render(props: Props) {
    return <Stretch {...props} />;
  }
}

function isSame(one: TimelineEntry, other: TimelineEntry | undefined): boolean {
  return (
    one.message === other?.message &&
    one.day === other.day &&
    one.isContinued === other.isContinued &&
    one.label === other.label &&
    one.deed === other.deed
  );
}

function Stretch({ entries, contact, log, anchor }: Props) {
  const hasAnchor = entries.some(({ message }) => message.id === anchor);
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
  const isShown = leftAt === undefined || hasAnchor;
  return (
    <ol ref={list} style={isShown ? undefined : { height: `${leftAt}px` }}>
      {isShown
        ? entries.map((entry) => (
            <Entry
              key={entry.message.id}
              entry={entry}
              contact={contact}
              isMarked={entry.message.id === anchor}
            />
          ))
        : null}
    </ol>
  );
}

interface EntryProps {
  entry: TimelineEntry;
  contact: string;
  isMarked: boolean;
}

function Entry(props: EntryProps) {
  const { entry } = props;
  const { day, deed } = entry;
  return (
    <>
      {day === undefined ? null : <Day at={day} />}
      {deed === undefined ? <Line {...props} /> : <Deed {...props} />}
    </>
  );
}

const DAY_FORMAT = { weekday: 'long', day: 'numeric', month: 'long' } as const;

function Day({ at }: { at: string }) {
  const day = new Date(at);
  const isThisYear = useToday().endsWith(` ${day.getFullYear()}`);
  return (
    <li class="day">
      <time dateTime={at}>
        {day.toLocaleDateString(LOCALE, isThisYear ? DAY_FORMAT : { ...DAY_FORMAT, year: 'numeric' })}
      </time>
    </li>
  );
}

function nameAuthor(message: TimelineEntry['message'], contact: string): string {
  const { author, role = 'bot' } = message;
  const isOfContact = role === 'contact' || isRating(message);
  return visibleName(author) ?? (isOfContact ? contact : (TEXTS.roles[role] ?? role));
}

function Deed({ entry: { message, deed }, contact, isMarked }: EntryProps) {
  return (
    <li class={isMarked ? 'deed marked' : 'deed'} id={message.id}>
      <p>
        <strong>{nameAuthor(message, contact)}</strong> {deed} · <Clock message={message} />
      </p>
      {isRating(message) ? <RatingComment message={message} /> : <Results message={message} />}
    </li>
  );
}

function Clock({ message }: Pick<TimelineEntry, 'message'>) {
  const at = getTime(message);
  const time = new Date(at);
  return (
    <time dateTime={at} title={time.toLocaleString(LOCALE)}>
      {time.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}
    </time>
  );
}

function Line({ entry: { message, isContinued, label }, contact, isMarked }: EntryProps) {
  const { id, role = 'bot', isBackchannel, author, items = [], actions = [], delivery } = message;
  // Messages of contacts have no author (spec 12.2).
  const isFromOutside = role === 'contact' || !author;
  const kinds = [
    'line',
    role,
    ...(isBackchannel ? ['backchannel'] : []),
    ...(isContinued ? ['continued'] : []),
    ...(isMarked ? ['marked'] : []),
  ];
  const name = nameAuthor(message, contact);
  return (
    <li
      class={kinds.join(' ')}
      id={id}
      title={isContinued ? new Date(getTime(message)).toLocaleString(LOCALE) : undefined}
    >
      {isContinued ? null : (
        <p class="author">
          <Avatar name={name} url={author?.avatar} />
          <strong>{name}</strong>
          {isBackchannel ? <span class="kind">{INBOX_WORDS.backchannel}</span> : null}
          <Clock message={message} />
        </p>
      )}
      <PicturesOnRequest.Provider value={isFromOutside}>
        <Content message={label === undefined ? message : { text: label }} />
        <Items items={items} press={doNothing} />
        <Actions actions={actions} press={doNothing} />
      </PicturesOnRequest.Provider>
      <MailFacts message={message} />
      {delivery ? <DeliveryMark delivery={delivery} /> : null}
    </li>
  );
}

function RatingComment({ message: { results = [] } }: Pick<TimelineEntry, 'message'>) {
  const comment = results[0]?.values?.['comment'];
  return typeof comment === 'string' ? <blockquote class="result">{comment}</blockquote> : null;
}

function Results({ message: { results = [] } }: Pick<TimelineEntry, 'message'>) {
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
