import { getUserId, getUnreadCount } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { TEXTS } from '../texts.ts';

export interface InboxFilter {
  name: string;
  title: string;
  /** See spec 9.2. */
  query: (user: string) => Record<string, string>;
  /** Whether a changed conversation belongs to the list. */
  takes: (conversation: InboxConversation, user: string) => boolean;
}

const filterByStatus = (status: InboxConversation['status']): InboxFilter => ({
  name: status,
  title: TEXTS.statuses[status],
  query: () => ({ status }),
  takes: (conversation) => conversation.status === status,
});

export const FILTERS: readonly [InboxFilter, ...InboxFilter[]] = [
  filterByStatus('queued'),
  filterByStatus('active'),
  {
    name: 'mine',
    title: TEXTS.inbox.mine,
    query: (user) => ({ 'participants.user': user, status: '!=closed' }),
    takes: ({ participants, status }, user) =>
      status !== 'closed' && participants.some((one) => getUserId(one.user) === user),
  },
  {
    name: 'unread',
    title: TEXTS.inbox.unread,
    query: (user) => ({ participants: `{user=${user};unreadCount=>0}` }),
    takes: (conversation, user) => getUnreadCount(conversation, user) > 0,
  },
  filterByStatus('closed'),
  { name: 'all', title: TEXTS.inbox.all, query: () => ({}), takes: () => true },
];

export function withCategory(filter: InboxFilter, category: string): InboxFilter {
  if (category === '') return filter;
  // Without brackets, a category that begins with a sign would be read as an operator (spec 9.2).
  const wanted = /^[\p{L}\p{N}]/u.test(category) ? category : `[${category}]`;
  return {
    ...filter,
    query: (user) => ({ ...filter.query(user), category: wanted }),
    takes: (conversation, user) => conversation.category === category && filter.takes(conversation, user),
  };
}
