import { ParlanceError } from '@parlance/client';
import type { InboxConversation, TimelineMessage } from '../inbox/conversation.ts';

const AT = '2026-03-14T09:26:00.000Z';
const LATER = '2026-03-15T10:00:00.000Z';

export const PEOPLE = [
  { id: 'u1', name: 'Grace Hopper', status: 'online' },
  { id: 'u2', name: 'Bruno Schulz', status: 'away' },
  { id: 'u3', name: '林美', status: 'offline' },
];

export const REFUSAL = new ParlanceError('name: is required', {
  status: 400,
  code: 'invalid_request',
  details: [
    { path: 'name', message: 'is required' },
    { path: 'elsewhere', message: 'is not a field of this form' },
  ],
});

const GRACE = { id: 'u1', name: 'Grace Hopper', role: 'agent' } as const;

/** Lists need only some fields of a conversation, and bubbles only some of a message. */
const conversation = (fields: object) =>
  ({
    status: 'queued',
    participants: [],
    touchpoints: { web: { services: [], selected: true } },
    createdAt: AT,
    updatedAt: AT,
    lastMessageAt: AT,
    ...fields,
  }) as unknown as InboxConversation;

export const CONVERSATION = [
  conversation({
    id: 'c1',
    name: 'Ada Lovelace',
    category: 'Repairs',
    waitingSince: AT,
    lastMessage: { id: 'm1', type: 'chat', text: 'The chain of my bike jumps off.', role: 'contact' },
    participants: [{ user: 'u1', unreadCount: 2 }],
  }),
  conversation({
    id: 'c2',
    status: 'active',
    name: 'A name that is too long for one line of the list',
    lastMessage: {
      id: 'm2',
      type: 'chat',
      text: 'See bulletin 7.',
      role: 'agent',
      user: 'u2',
      isBackchannel: true,
    },
    participants: [{ user: { id: 'u2', name: 'Bruno Schulz' }, accepted: true, unreadCount: 0 }],
  }),
  conversation({ id: 'c3', status: 'closed' }),
];

let sequence = 0;
const message = (fields: object) =>
  ({
    id: `m${(sequence += 1)}`,
    sequence,
    type: 'chat',
    text: '',
    isBackchannel: false,
    createdAt: AT,
    processedAt: AT,
    ...fields,
  }) as unknown as TimelineMessage;

export const MESSAGES = [
  message({ role: 'contact', text: 'Hello! The chain of my bike jumps off.' }),
  message({ role: 'contact', text: 'It is order 48213.' }),
  message({
    role: 'bot',
    text: 'When may we call?',
    actions: [{ type: 'reply', text: 'In the morning', payload: 'time=Morning' }],
  }),
  message({ role: 'contact', type: 'postback', text: 'time=Morning' }),
  message({ type: 'command', text: '/accept', author: GRACE }),
  message({ role: 'agent', author: GRACE, text: 'Good morning Ada!', createdAt: LATER, processedAt: LATER }),
  message({
    role: 'agent',
    author: GRACE,
    text: 'A note',
    isBackchannel: true,
    createdAt: LATER,
    processedAt: LATER,
  }),
  message({ type: 'command', text: '/assign', meta: { users: ['u2'] }, author: GRACE, processedAt: LATER }),
];
