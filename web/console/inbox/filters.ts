import { MAX_LABEL_CHARACTERS } from '../../../domain/conversations/labels.ts';
import { getAssignees, getUserId, getUnreadCount } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { INBOX_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';

type Status = InboxConversation['status'];

export interface InboxFilter {
  name: string;
  title: string;
  /** Statuses that the list can be narrowed to. */
  statuses: readonly Status[];
  /** See spec 9.2. */
  query: (user: string) => Record<string, string>;
  /** Bounds of the time of the last message. `before` is exclusive. */
  since?: string | undefined;
  before?: string | undefined;
  /** By which time the list is sorted. */
  order: { field: 'lastMessageAt' | 'waitingSince'; descending: boolean };
  /** Whether a conversation belongs to the list. */
  takes: (conversation: InboxConversation, user: string) => boolean;
}

const NEWEST_FIRST = { field: 'lastMessageAt', descending: true } as const;
const LONGEST_WAIT_FIRST = { field: 'waitingSince', descending: false } as const;

const filterByStatus = (status: Status): InboxFilter => ({
  name: status,
  get title() {
    return TEXTS.statuses[status];
  },
  statuses: [],
  query: () => ({ status }),
  order: status === 'queued' ? LONGEST_WAIT_FIRST : NEWEST_FIRST,
  takes: (conversation) => conversation.status === status,
});

export const EVERYTHING: InboxFilter = {
  name: 'all',
  get title() {
    return INBOX_WORDS.all;
  },
  statuses: ['queued', 'active', 'closed'],
  query: () => ({}),
  order: NEWEST_FIRST,
  takes: () => true,
};

export const FILTERS: readonly [InboxFilter, ...InboxFilter[]] = [
  filterByStatus('queued'),
  filterByStatus('active'),
  {
    name: 'mine',
    get title() {
      return INBOX_WORDS.mine;
    },
    statuses: ['queued', 'active'],
    // The store's index by user and status needs both conditions outside the braces.
    query: (user) => ({
      'participants.user': user,
      participants: `{user=${user};accepted,inbox=true}`,
      status: '[queued,active]',
    }),
    order: NEWEST_FIRST,
    takes: ({ participants, status }, user) =>
      status !== 'closed' &&
      participants.some((one) => getUserId(one.user) === user && (one.accepted || one.inbox)),
  },
  {
    name: 'unread',
    get title() {
      return INBOX_WORDS.unread;
    },
    statuses: ['queued', 'active', 'closed'],
    query: (user) => ({ participants: `{user=${user};unreadCount=>0}` }),
    order: NEWEST_FIRST,
    takes: (conversation, user) => getUnreadCount(conversation, user) > 0,
  },
  filterByStatus('closed'),
  EVERYTHING,
];

/** A well-formed id that no record has. */
const NO_ID = '0'.repeat(24);

/** Conversations that wait for one of the teams, because no user has taken them (spec 5.18). */
export function buildTeamFilter(teams: readonly string[]): InboxFilter {
  return {
    name: 'teams',
    title: INBOX_WORDS.myTeams,
    statuses: [],
    query: () => ({ team: `[${teams.join() || NO_ID}]`, status: 'queued' }),
    order: LONGEST_WAIT_FIRST,
    takes: ({ team, status }) => status === 'queued' && team !== undefined && teams.includes(team),
  };
}

const TIMES = { today: 0, week: 6, month: 29 } as const;
/** The lowest and the highest rating. */
const RATINGS = { good: [4, 5], fair: [3, 3], bad: [1, 2] } as const;
export type RatingRange = keyof typeof RATINGS;
const ME = 'me';
const NOBODY = 'nobody';

/** Names of the parameters in the address. */
export type Criterion =
  | 'assignee'
  | 'team'
  | 'category'
  | 'label'
  | 'channel'
  | 'status'
  | 'rating'
  | 'time'
  | 'from'
  | 'until';
export type Criteria = Readonly<Partial<Record<Criterion, string>>>;

const MAX_CATEGORY = 500;

const VALID: Readonly<Record<Criterion, (value: string) => boolean>> = {
  assignee: (value) => [ME, NOBODY].includes(value) || /^[0-9a-f]{24}$/.test(value),
  team: (value) => value === NOBODY || /^[0-9a-f]{24}$/.test(value),
  category: (value) => value.length <= MAX_CATEGORY,
  label: (value) => value.length <= MAX_LABEL_CHARACTERS,
  channel: (value) => /^\w[\w-]*$/.test(value),
  status: (value) => ['queued', 'active', 'closed'].includes(value),
  rating: (value) => Object.hasOwn(RATINGS, value),
  time: (value) => Object.hasOwn(TIMES, value),
  from: (value) => startOfDay(value) !== undefined,
  until: (value) => startOfDay(value) !== undefined,
};

/** Leaves out invalid values, and statuses that the list does not have. */
export function readCriteria(query: Readonly<Record<string, unknown>>, { statuses }: InboxFilter): Criteria {
  const valid = Object.entries(VALID).flatMap(([name, isValid]) => {
    const value = query[name];
    const isFit = typeof value === 'string' && value.trim() !== '' && isValid(value);
    return isFit && (name !== 'status' || statuses.some((one) => one === value)) ? [[name, value]] : [];
  });
  return Object.fromEntries(valid) as Criteria;
}

export function isSameCriteria(one: Criteria, other: Criteria): boolean {
  return Object.keys(VALID).every((name) => one[name as Criterion] === other[name as Criterion]);
}

/** `now` decides which days a time such as `week` has. */
export function narrowFilter(filter: InboxFilter, criteria: Criteria, now = new Date()): InboxFilter {
  const { team, category, label, channel, status } = criteria;
  const { since, before } = findBounds(criteria, now);
  const rated = criteria.rating === undefined ? undefined : RATINGS[criteria.rating as RatingRange];
  return {
    ...filter,
    since,
    before,
    query: (user) => ({
      ...filter.query(user),
      ...queryAssignee(criteria.assignee === ME ? user : criteria.assignee),
      ...(team === undefined || filter.name === 'teams' ? {} : { team: team === NOBODY ? '!' : team }),
      ...(category === undefined ? {} : { category: quote(category) }),
      ...(label === undefined ? {} : { labels: quote(label) }),
      ...(channel === undefined ? {} : { [`touchpoints.${channel}.selected`]: 'true' }),
      ...(status === undefined ? {} : { status }),
      ...(rated ? { rating: `>=${rated[0]},<=${rated[1]}` } : {}),
    }),
    takes(conversation, user) {
      const { lastMessageAt } = conversation;
      return (
        filter.takes(conversation, user) &&
        (team === undefined || (conversation.team ?? NOBODY) === team) &&
        (category === undefined || conversation.category === category) &&
        (label === undefined || conversation.labels?.includes(label) === true) &&
        (channel === undefined || conversation.touchpoints[channel]?.selected === true) &&
        (status === undefined || conversation.status === status) &&
        (!rated || isWithin(conversation.rating, rated)) &&
        (since === undefined || lastMessageAt >= since) &&
        (before === undefined || lastMessageAt < before) &&
        isAssigned(conversation, criteria.assignee === ME ? user : criteria.assignee)
      );
    },
  };
}

/** Query of the page that begins at a time of the order (inclusive), or of the first page. */
export function buildPageQuery(filter: InboxFilter, user: string, from?: string): Record<string, string> {
  const { order, since, before } = filter;
  const isByMessage = order.field === 'lastMessageAt';
  const upper = isByMessage && from !== undefined ? `<=${from}` : before && `<${before}`;
  const bounds = [since && `>=${since}`, upper].filter(Boolean).join(',');
  return {
    ...filter.query(user),
    ...(bounds === '' ? {} : { lastMessageAt: bounds }),
    ...(isByMessage || from === undefined ? {} : { [order.field]: `>=${from}` }),
    sort: `${order.descending ? '-' : ''}${order.field}`,
  };
}

/** Finds more than the assigned conversations: `isAssigned` decides. */
function queryAssignee(assignee: string | undefined): Record<string, string> {
  if (assignee === undefined) return {};
  if (assignee !== NOBODY) return { 'participants.user': assignee };
  return { 'participants.accepted': '!=true', 'participants.inbox': '!=true' };
}

function isWithin(rating: number | undefined, [lowest, highest]: readonly [number, number]): boolean {
  return rating !== undefined && rating >= lowest && rating <= highest;
}

function isAssigned(conversation: InboxConversation, assignee: string | undefined): boolean {
  if (assignee === undefined) return true;
  const assignees = getAssignees(conversation).map(({ user }) => getUserId(user));
  return assignee === NOBODY ? assignees.length === 0 : assignees.includes(assignee);
}

/** Without brackets, a value that begins with a sign would be read as an operator (spec 9.2). */
function quote(value: string): string {
  return /^[\p{L}\p{N}]/u.test(value) ? value : `[${value}]`;
}

function findBounds({ time, from, until }: Criteria, now: Date): { since?: string; before?: string } {
  const since = time === undefined ? startOfDay(from) : addDays(now, -TIMES[time as keyof typeof TIMES]);
  const last = time === undefined ? startOfDay(until) : undefined;
  return {
    ...(since && { since: since.toISOString() }),
    ...(last && { before: addDays(last, 1).toISOString() }),
  };
}

/** Returns the begin of a local day such as `2026-11-27`. */
function startOfDay(day: string | undefined): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  const found = new Date(Number(year), Number(month) - 1, Number(date));
  return found.getDate() === Number(date) ? found : undefined;
}

function addDays(at: Date, days: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days);
}
