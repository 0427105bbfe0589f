import { resourceNames, resourceRow } from '../../domain/resources.ts';
import type { Operation } from '../../domain/resources.ts';
import type { Route } from '../route.ts';

/** How the usual five requests of a resource are called: the verb, and whether many are meant. */
const USUAL: Readonly<Record<Operation, { address: string; verb: string; many?: true }>> = {
  list: { address: 'GET /', verb: 'list', many: true },
  fetch: { address: 'GET /:id', verb: 'get' },
  create: { address: 'POST /', verb: 'create' },
  update: { address: 'PATCH /:id', verb: 'update' },
  remove: { address: 'DELETE /:id', verb: 'delete' },
};

const USUAL_NAMES = Object.fromEntries(
  resourceNames().flatMap((name) =>
    Object.values(USUAL).map(({ address, verb, many }) => {
      const [method = '', path = ''] = address.split(' ');
      const { noun } = resourceRow(name);
      return [
        `${method} /${name}${path === '/' ? '' : path}`,
        `${verb}${many ? plural(noun) : pascal(noun)}`,
      ];
    }),
  ),
);

/** The others, by method and path. */
const NAMES: Readonly<Record<string, string>> = {
  'POST /auth/token': 'createToken',
  'GET /auth/token': 'refreshToken',
  'POST /auth/logout': 'logout',
  'GET /users/me': 'getMe',
  'PATCH /users/me': 'updateMe',
  'POST /users/me/otp': 'createOtp',
  'PUT /users/me/otp': 'confirmOtp',
  'DELETE /users/me/otp': 'deleteOtp',
  'DELETE /users/:id/otp': 'deleteUserOtp',
  'GET /users/:id/apikeys': 'listApiKeys',
  'POST /users/:id/apikeys': 'createApiKey',
  'DELETE /users/:id/apikeys/:key': 'deleteApiKey',
  'GET /organizations/:id/widget/secret': 'getWidgetSecret',
  'POST /organizations/:id/widget/secret': 'createWidgetSecret',
  'DELETE /organizations/:id/widget/secret': 'deleteWidgetSecret',
  'GET /conversations/search': 'searchConversations',
  'GET /conversations/stream': 'streamConversations',
  'GET /conversations/:id/stream': 'streamConversation',
  'POST /conversations/:id/stream/ticket': 'createStreamTicket',
  'POST /conversations/:id/unblock': 'unblockBots',
  'POST /conversations/:id/hurry': 'hurryMessages',
  'PUT /conversations/:id/read': 'markConversationRead',
  'PUT /conversations/:id/typing': 'setTyping',
  'GET /conversations/:id/links': 'getConversationLinks',
  'GET /links': 'getLinks',
  'GET /conversations/:id/timeline': 'getConversationTimeline',
  'GET /conversations/:id/messages': 'listConversationMessages',
  'POST /conversations/:id/messages': 'createConversationMessage',
  'PUT /channels/:id/online': 'setChannelOnline',
  'POST /services/:id/verify': 'verifyService',
  'POST /services/:id/test': 'testService',
  'POST /services/:id/replay': 'replayService',
  'POST /deliveries/:id/retry': 'retryDelivery',
  'PUT /eventtypes/:id/jsonata': 'setEventTypeExpression',
  'POST /eventtypes/preview': 'previewExpression',
  'POST /eventtypes/:id/preview': 'previewEventType',
  'POST /eventtypes/:id/retry': 'retryEventsOfType',
  'GET /eventtypes/:id/ingest': 'getIngestAddress',
  'POST /eventtypes/:id/ingest': 'createIngestAddress',
  'DELETE /eventtypes/:id/ingest': 'deleteIngestAddress',
  'POST /events': 'sendCloudEvent',
  'POST /events/retry': 'retryUnroutedEvents',
  'POST /events/:name': 'sendEvent',
  'POST /events/:id/retry': 'retryEvent',
};

/**
 * What an operation is called: `listUsers`, `createMessage`; of the usual five by the resource's
 * noun. A row without a name gets one from its address, and a test refuses it.
 */
export function operationName({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const address = `${method} ${path}`;
  return NAMES[address] ?? USUAL_NAMES[address] ?? `${method.toLowerCase()}${pascal(path)}`;
}

/** Whether the name of a row was given to it, and not made of its address. */
export function hasName({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  const address = `${method} ${path}`;
  return address in NAMES || address in USUAL_NAMES;
}

function pascal(words: string): string {
  return words.replace(/(?:^|\W+)(\w)/g, (_, first: string) => first.toUpperCase());
}

function plural(noun: string): string {
  return `${pascal(noun)}s`.replace(/ys$/, 'ies');
}
