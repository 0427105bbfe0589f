import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { beginFirstConversation } from './begin.ts';
import { respondToVerification, echo, echoInput } from './echo-bot.ts';

/** What a newcomer begins with, on a machine of their own (spec 12.4). */
export const FIRST_START: readonly Route[] = [
  openRoute(
    'POST /console/first-conversation',
    'Begin a conversation with the echo bot',
    beginFirstConversation,
  ),
  openRoute('GET /console/echo-bot/:secret', 'The echo bot is there', respondToVerification),
  openRoute('POST /console/echo-bot/:secret', 'Tell the echo bot what a contact said', echo, {
    body: echoInput,
    secret: true,
  }),
];
