import { AlarmClock, Ban, Clock, Mail, MessageSquare, Phone, Users } from 'lucide';
import type { IconNode } from 'lucide';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Time, Wait } from '../parts/time.tsx';
import { LOCALE } from '../language.ts';
import { INBOX_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import {
  describeLastMessage,
  getAssignees,
  nameAuthor,
  getTitle,
  getUnreadCount,
  getUserName,
  isContactBlocked,
} from './conversation.ts';
import type { InboxConversation, TimelineMessage } from './conversation.ts';
import type { Piece } from './excerpt.ts';
import { useTeams } from './teams.tsx';
import { formatMoment } from './texts.ts';

/** A message that matches the words of a search. */
export interface FoundMessage extends Pick<TimelineMessage, 'id' | 'role' | 'user' | 'isBackchannel'> {
  excerpt: readonly Piece[];
  at: string;
}

interface RowProps {
  conversation: InboxConversation;
  href: string;
  user: string;
  isChosen: boolean;
  /** Shown in place of the last message. */
  found?: FoundMessage | undefined;
}

export function Row({ conversation, href, user, isChosen, found }: RowProps) {
  const { lastMessageAt, lastMessage } = conversation;
  const unread = getUnreadCount(conversation, user);
  const title = getTitle(conversation);
  return (
    <a class="row" href={href} aria-current={isChosen ? 'true' : undefined}>
      <Avatar name={title} />
      <span class="head-line">
        <span class="title">
          <bdi>{title}</bdi>
        </span>
        <Time at={found?.at ?? lastMessageAt} />
      </span>
      <span class="said-line">
        {found ? (
          <Quote found={found} conversation={conversation} />
        ) : (
          <span class={lastMessage?.isBackchannel ? 'said note' : 'said'}>
            <bdi>{describeLastMessage(conversation)}</bdi>
          </span>
        )}
        {unread > 0 ? (
          <span class="count" aria-label={INBOX_WORDS.countUnread(unread)}>
            {unread}
          </span>
        ) : null}
      </span>
      <Under conversation={conversation} />
    </a>
  );
}

/** The line of signs below the last message. */
function Under({ conversation }: Pick<RowProps, 'conversation'>) {
  const { status, category, team, labels = [], rating, waitingSince, snoozedUntil } = conversation;
  const { nameTeam } = useTeams();
  const assignee = describeAssignees(conversation);
  return (
    <span class="under">
      <span class={`badge ${status}`}>{TEXTS.statuses[status]}</span>
      {isContactBlocked(conversation) ? (
        <span class="badge failed">
          <Icon icon={Ban} /> {TEXTS.blocked}
        </span>
      ) : null}
      {snoozedUntil === undefined ? null : (
        <time
          class="badge pending"
          dateTime={snoozedUntil}
          title={INBOX_WORDS.snoozed(formatMoment(snoozedUntil))}
        >
          <Icon icon={AlarmClock} /> <span aria-hidden="true">{formatWakingTime(snoozedUntil)}</span>
          <span class="hidden">{INBOX_WORDS.snoozed(formatMoment(snoozedUntil))}</span>
        </time>
      )}
      <Touchpoint conversation={conversation} />
      {category === undefined ? null : <span class="category">{category}</span>}
      {labels.length === 0 ? null : (
        <span class="labels">
          {labels.map((label) => (
            <span key={label} class="label">
              {label}
            </span>
          ))}
        </span>
      )}
      {rating === undefined ? null : (
        <span class="stars" title={INBOX_WORDS.rated(rating)}>
          <span aria-hidden="true">{rating} ★</span>
          <span class="hidden">{INBOX_WORDS.rated(rating)}</span>
        </span>
      )}
      {team === undefined ? null : (
        <span class="team" title={INBOX_WORDS.team}>
          <Icon icon={Users} /> <span class="hidden">{INBOX_WORDS.team}</span> <bdi>{nameTeam(team)}</bdi>
        </span>
      )}
      {assignee === undefined ? null : <span class="assignee">{INBOX_WORDS.with(assignee)}</span>}
      {waitingSince === undefined ? null : (
        <span class="waiting" title={INBOX_WORDS.waits}>
          <Icon icon={Clock} /> <span class="hidden">{INBOX_WORDS.waits}</span> <Wait since={waitingSince} />
        </span>
      )}
    </span>
  );
}

const DAYS_MS = 6 * 24 * 3_600_000;

/** Returns a time such as `Mon 9:00`, or a day such as `14 Mar`: a row has little room. */
function formatWakingTime(at: string): string {
  const isNear = Date.parse(at) - Date.now() < DAYS_MS;
  return new Date(at).toLocaleString(
    LOCALE,
    isNear ? { weekday: 'short', hour: 'numeric', minute: '2-digit' } : { day: 'numeric', month: 'short' },
  );
}

export function Quote({ found, conversation }: { found: FoundMessage; conversation: InboxConversation }) {
  const author = nameAuthor(found, conversation);
  return (
    <span class={found.isBackchannel ? 'said note' : 'said'}>
      {author === undefined ? null : `${author}: `}
      {found.excerpt.map(({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text))}
    </span>
  );
}

function describeAssignees(conversation: InboxConversation): string | undefined {
  const assigned = getAssignees(conversation);
  const [first] = assigned;
  if (!first) return undefined;
  return assigned.length === 1
    ? getUserName(first.user)
    : INBOX_WORDS.andMore(getUserName(first.user), assigned.length - 1);
}

const ICONS: Readonly<Record<string, IconNode>> = { web: MessageSquare, email: Mail, sms: Phone };

function Touchpoint({ conversation: { touchpoints } }: Pick<RowProps, 'conversation'>) {
  const [code] = Object.entries(touchpoints).find(([, { selected }]) => selected) ?? [];
  if (code === undefined) return null;
  const name = INBOX_WORDS.touchpoints[code] ?? code;
  return (
    <span class="touchpoint" title={name}>
      <Icon icon={ICONS[code] ?? MessageSquare} />
      <span class="hidden">{name}</span>
    </span>
  );
}
