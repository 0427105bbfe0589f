/**
 * The table of spec 4.2 with the same columns: list, fetch, create, update, delete. A cell is the
 * required scope.
 */
export const PERMISSIONS: Record<string, [string, string, string, string, string]> = {
  organizations: ['bot', 'bot', 'admin', 'admin', 'admin'],
  orggroups: ['bot', 'bot', 'admin', 'admin', 'admin'],
  users: ['bot', 'bot', 'admin', 'admin', 'admin'],
  conversations: ['agent', 'guest', 'agent', 'admin', 'admin'],
  messages: ['bot', 'bot', 'guest', 'bot', 'admin'],
  contacts: ['agent', 'bot', 'bot', 'bot', 'admin'],
  kbitems: ['agent', 'agent', 'agent', 'agent', 'bot'],
  forms: ['bot', 'admin', 'bot', 'bot', 'admin'],
  services: ['admin', 'admin', 'admin', 'admin', 'admin'],
  channels: ['bot', 'bot', 'admin', 'admin', 'admin'],
  eventtypes: ['admin', 'admin', 'admin', 'admin', 'admin'],
};
export const OPERATIONS = ['GET', 'GET :id', 'POST', 'PATCH :id', 'DELETE :id'];

/** The scopes of all other routes in the specification. */
const OTHERS: Record<string, string | null> = {
  'POST /auth/token': null,
  'GET /auth/token': 'guest',
  'PUT /auth/password': null,
  'POST /auth/password-reset': null,
  'POST /auth/logout': 'guest',
  'POST /batch': 'guest',
  'GET /users/colleagues': 'agent',
  'POST /users/me/otp': 'guest',
  'PUT /users/me/otp': 'guest',
  'DELETE /users/me/otp': 'guest',
  'DELETE /users/:id/otp': 'admin',
  'POST /users/:id/password-link': 'admin',
  'GET /users/:id/apikeys': 'admin',
  'POST /users/:id/apikeys': 'admin',
  'DELETE /users/:id/apikeys/:key': 'admin',
  'POST /contacts/:id/merge': 'admin',
  'GET /contacts/:id/profile': 'agent',
  'PATCH /contacts/:id/profile': 'agent',
  'PUT /contacts/:id/blocked': 'agent',
  'POST /contacts/:id/labels': 'agent',
  'POST /contacts/:id/notes': 'agent',
  'DELETE /contacts/:id/notes/:note': 'agent',
  'GET /conversations/:id/messages': 'bot',
  'POST /conversations/:id/messages': 'guest',
  'GET /conversations/:id/timeline': 'agent',
  'GET /conversations/stream': 'agent',
  'GET /conversations/:id/stream': 'guest',
  'POST /conversations/:id/stream/ticket': 'guest',
  'POST /conversations/:id/unblock': 'admin',
  'POST /conversations/:id/hurry': 'admin',
  'PUT /conversations/:id/read': 'guest',
  'PUT /conversations/:id/typing': 'agent',
  'GET /organizations/:id/report': 'bot',
  'GET /organizations/:id/timers': 'bot',
  'GET /organizations/:id/widget/secret': 'admin',
  'POST /organizations/:id/widget/secret': 'admin',
  'DELETE /organizations/:id/widget/secret': 'admin',
  'GET /conversations/:id/carriers': 'agent',
  'POST /conversations/:id/transcript': 'agent',
  'GET /conversations/:id/links': 'guest',
  'GET /links': 'guest',
  'POST /files': 'guest',
  'GET /conversations/search': 'agent',
  'GET /messages/search': 'agent',
  'GET /services/:id/events': 'admin',
  'POST /services/:id/events/ack': 'admin',
  'POST /services/:id/verify': 'admin',
  'POST /services/:id/test': 'admin',
  'POST /services/:id/inbound': 'bot',
  'POST /services/:id/receipts': 'bot',
  'POST /services/:id/replay': 'admin',
  'GET /channels/teams': 'agent',
  'PUT /channels/:id/online': 'agent',
  'GET /deliveries': 'admin',
  'GET /deliveries/:id': 'admin',
  'POST /deliveries/:id/retry': 'admin',
  'PUT /eventtypes/by-name/:name': 'admin',
  'PUT /eventtypes/:id/jsonata': 'admin',
  'POST /eventtypes/:id/preview': 'admin',
  'GET /eventtypes/:id/ingest': 'admin',
  'POST /eventtypes/:id/ingest': 'admin',
  'DELETE /eventtypes/:id/ingest': 'admin',
  'POST /eventtypes/:id/retry': 'admin',
  'POST /eventtypes/preview': 'admin',
  'GET /events': 'bot',
  'GET /events/:id': 'bot',
  'POST /events': 'bot',
  'POST /events/:name': 'bot',
  'POST /events/retry': 'bot',
  'POST /events/:id/retry': 'bot',
};

/**
 * Returns the scope that the specification requires for a route, null if the route needs no scope,
 * or undefined if the route is not specified.
 */
export function expectedScope(method: string, path: string): string | null | undefined {
  const [, resource = '', id, further] = path.split('/');
  const row = further === undefined ? PERMISSIONS[resource] : undefined;
  const operation = OPERATIONS.indexOf(id === undefined ? method : `${method} ${id}`);
  return row?.[operation] ?? OTHERS[`${method} ${path}`];
}
