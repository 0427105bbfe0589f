import { resourceNames, resourceRow, withArticle } from '../../domain/resources.ts';
import type { Route } from '../route.ts';

interface Usual {
  name: string;
  words: string;
}

const USUAL: Readonly<Record<string, Usual>> = Object.fromEntries(
  resourceNames().flatMap((resource): [string, Usual][] => {
    const { noun } = resourceRow(resource);
    const one = pascal(noun);
    const [all, each] = [`/${resource}`, `/${resource}/:id`];
    const many = `list${`${one}s`.replace(/ys$/, 'ies')}`;
    const changed = `Changes the fields in the body, and returns the whole ${noun}. Null clears an optional field. A nested object or list replaces the stored value as a whole. With \`Content-Type: application/merge-patch+json\`, nested objects are merged instead (RFC 7396), and null removes a nested field.`;
    const page = `Returns a page of the ${noun}s in your organization and below it. Filter by any field.`;
    const shaped = `Returns ${withArticle(noun)}, in the shape that \`select\` and \`populate\` set.`;
    const created = `Creates ${withArticle(noun)}. \`Location\` has its address.`;
    const deleted = `Deletes the ${noun}. Later requests for it return 404.`;
    return [
      [`GET ${all}`, { name: many, words: page }],
      [`GET ${each}`, { name: `get${one}`, words: shaped }],
      [`POST ${all}`, { name: `create${one}`, words: created }],
      [`PATCH ${each}`, { name: `update${one}`, words: changed }],
      [`DELETE ${each}`, { name: `delete${one}`, words: deleted }],
    ];
  }),
);

const NAMES: Readonly<Record<string, string>> = {
  'POST /auth/token': 'createToken',
  'GET /auth/token': 'refreshToken',
  'PUT /auth/password': 'setPassword',
  'POST /auth/password-reset': 'requestPasswordReset',
  'POST /auth/logout': 'logout',
  'GET /users/me': 'getMe',
  'PATCH /users/me': 'updateMe',
  'GET /users/colleagues': 'listColleagues',
  'POST /users/me/otp': 'createOtp',
  'PUT /users/me/otp': 'confirmOtp',
  'DELETE /users/me/otp': 'deleteOtp',
  'DELETE /users/:id/otp': 'deleteUserOtp',
  'POST /users/:id/password-link': 'createPasswordLink',
  'GET /users/:id/apikeys': 'listApiKeys',
  'POST /users/:id/apikeys': 'createApiKey',
  'DELETE /users/:id/apikeys/:key': 'deleteApiKey',
  'GET /organizations/:id/report': 'getReport',
  'GET /organizations/:id/timers': 'listTimers',
  'GET /organizations/:id/widget/secret': 'getWidgetSecret',
  'POST /organizations/:id/widget/secret': 'createWidgetSecret',
  'DELETE /organizations/:id/widget/secret': 'deleteWidgetSecret',
  'GET /conversations/search': 'searchConversations',
  'GET /conversations/stream': 'streamConversations',
  'POST /files': 'uploadFile',
  'GET /conversations/:id/stream': 'streamConversation',
  'POST /conversations/:id/stream/ticket': 'createStreamTicket',
  'POST /conversations/:id/unblock': 'unblockBots',
  'POST /conversations/:id/hurry': 'hurryMessages',
  'POST /contacts/:id/merge': 'mergeContacts',
  'GET /contacts/:id/profile': 'getContactProfile',
  'PATCH /contacts/:id/profile': 'updateContactProfile',
  'PUT /contacts/:id/blocked': 'setContactBlocked',
  'POST /contacts/:id/labels': 'changeContactLabels',
  'POST /contacts/:id/notes': 'createContactNote',
  'DELETE /contacts/:id/notes/:note': 'deleteContactNote',
  'POST /batch': 'runBatch',
  'PUT /conversations/:id/read': 'markConversationRead',
  'PUT /conversations/:id/typing': 'setTyping',
  'GET /conversations/:id/carriers': 'listConversationCarriers',
  'POST /conversations/:id/transcript': 'createTranscript',
  'GET /conversations/:id/links': 'getConversationLinks',
  'GET /links': 'getLinks',
  'GET /conversations/:id/timeline': 'getConversationTimeline',
  'GET /messages/search': 'searchMessages',
  'GET /conversations/:id/messages': 'listConversationMessages',
  'POST /conversations/:id/messages': 'createConversationMessage',
  'GET /channels/teams': 'listTeams',
  'PUT /channels/:id/online': 'setChannelOnline',
  'GET /services/:id/events': 'pullEvents',
  'POST /services/:id/events/ack': 'acknowledgeEvents',
  'POST /services/:id/inbound': 'receiveInbound',
  'POST /services/:id/receipts': 'receiveReceipts',
  'POST /services/:id/verify': 'verifyService',
  'POST /services/:id/test': 'testService',
  'POST /services/:id/replay': 'replayService',
  'POST /deliveries/:id/retry': 'retryDelivery',
  'PUT /eventtypes/by-name/:name': 'putEventType',
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

type Address = Pick<Route, 'method' | 'path'>;

/** Returns '' for a route without a name, which a test rejects. */
export function operationName({ method, path }: Address): string {
  const address = `${method} ${path}`;
  return NAMES[address] ?? USUAL[address]?.name ?? '';
}

function pascal(words: string): string {
  return words.replace(/(?:^|\W+)(\w)/g, (_, first: string) => first.toUpperCase());
}

const WORDS: Readonly<Record<string, string>> = {
  createToken:
    'Signs in with `email` and `password`, and with `otp` if the user has one-time passwords. Or returns new tokens for `refreshToken` and `clientId`, without an Authorization header, after the access token has expired. Ten failures in 15 minutes for one email lock the email for 15 minutes (429).',
  refreshToken:
    'Returns new tokens for a refresh token while the access token is valid. A refresh token is valid once. A second use ends the whole session.',
  requestPasswordReset:
    'Sends a link for setting a password to the email of an agent or an admin. The response is the same for every email. The link is valid for an hour, and works once. 422 if the server sends no mail.',
  setPassword:
    'Sets the password of the user of a password link, and ends their sessions. `token` is the part of the link after `#/password/`. A link works once. Needs no Authorization header.',
  createPasswordLink:
    'Returns a link for a person without a password, or with a forgotten password. The link works once, for three days. An API key gets no link.',
  createTranscript:
    'Creates a text file with the messages that the contact sees, at most the newest 5,000. To send the file, post a message with its `url` as text. A file without a message is removed after a day.',
  logout: 'Ends the session of the token. Its access and refresh tokens are refused from then on.',
  uploadFile:
    'Uploads a file of at most 16 MiB for a message of the conversation. The message has the address `url` as its text. A file without a message is deleted after a day.',
  getMe: 'Returns the user of the token.',
  updateMe:
    'Changes the user of the token. A new email or password needs `currentPassword`, and a session instead of an API key.',
  createOtp:
    'Returns a secret for an authenticator app. The secret takes effect when `confirmOtp` verifies a one-time password.',
  confirmOtp:
    'Verifies a one-time password of the new secret. From then on, a login needs a one-time password.',
  deleteOtp:
    'Verifies a one-time password and deletes the secret. From then on, a login needs no one-time password.',
  deleteUserOtp:
    'Removes the one-time passwords of a user who has lost the authenticator. From then on, the login of the user needs none.',
  listApiKeys: 'Returns the API keys of a user, without `token`.',
  createApiKey: 'Creates an API key. Only this response has its `token`.',
  deleteApiKey: 'Revokes an API key. It is refused at once, and by other processes within five seconds.',
  listTimers:
    'Returns the timers of an organization and of the organizations above it, nearest first. The first timer with a name takes effect.',
  listColleagues:
    "Returns the agents and admins of the caller's own organization, to whom a conversation can be assigned, with name, picture and status.",
  listTeams:
    'Returns the channels within reach with the number of members who are online, without the members. A conversation is assigned to one by `/assign` with `meta.team`.',
  createUser:
    'Creates a person, or a bot with role bot. A missing email is generated, and is the `clientId` of a bot.',
  putEventType:
    'Creates the event type with this name, or replaces it as a whole. A field that the body leaves out is cleared. An ingest address stays valid.',
  createConversation:
    'With `contact` as an object, an *upsert*: finds the contact by `externalId`, telephone or email, or by `match`, or creates the contact; finds the conversation (200) or creates it (201); and posts the messages. Else a *plain create* of a conversation, for a contact without a conversation or for no contact.',
  updateConversation:
    'Repairs a conversation. Normally, messages change a conversation: `/set`, `/assign`, `/accept`, `/leave`. A nested object or list in the body replaces the stored value as a whole.',
  deleteConversation:
    'Deletes the conversation with its contact, messages, deliveries and histories. For test data and erasure requests.',
  listConversations:
    'Returns a page of the conversations within reach. Filter by any field. A filter on `meta` needs a filter on id, type, participants.user, status, createdAt, categoryIndex, category, organization or updatedAt as well.',
  searchConversations:
    'Returns conversations whose name, forms, results or contact have, for each word of `q`, a word with that beginning. Ignores case and accents. Accepts `limit`, `offset`, `select` and `populate` like a list.',
  streamConversation:
    "Streams the events of the conversation as server-sent events. `Last-Event-ID` or `after` is the position to resume from. A browser's EventSource opens the address that `createStreamTicket` returns.",
  streamConversations:
    "Streams new and changed conversations of the caller's organization and the organizations below it, as server-sent events within a second or two. Earlier changes are in `listConversations`.",
  createStreamTicket: 'Returns an address that opens the stream once, within a minute, without a token.',
  markConversationRead: "Sets the caller's `unreadCount` to 0.",
  listConversationCarriers:
    "Returns the channels of the organization, with the contact's address on each, and the reason why a reply would be refused. Empty without a contact or a channel.",
  getConversationLinks:
    'Returns the addresses that continue the conversation, by touchpoint code. `web` is the chat page.',
  unblockBots:
    'Resets the bot-loop counters of a bot in the conversation, or of all bots. The bot may post again at once.',
  hurryMessages:
    'Processes the delayed messages at once, in the order of their times, or only the message in the body.',
  runBatch:
    'Runs the requests in the lines of the body, newline-delimited JSON. The response has one line per request, in the same order.',
  getContactProfile:
    'Returns the profile of the contact. Its `ETag` is for `If-Match` of `updateContactProfile`.',
  updateContactProfile:
    'Changes the given fields of the profile and returns the profile. Null clears a field. Concurrent changes of other fields stay. With `If-Match`, the tag is that of the profile.',
  setContactBlocked:
    'Blocks or unblocks the contact and returns the contact. What a blocked contact writes is refused.',
  changeContactLabels:
    'Adds and removes labels of a contact, and returns the contact. Concurrent changes of other labels stay.',
  createContactNote: 'Adds a note about a contact, which other users see and the contact does not.',
  deleteContactNote: 'Deletes a note about a contact. Only its author and scope admin may delete a note.',
  mergeContacts:
    'Moves the conversations and missing values from the contact in the body to the contact in the path. Deletes the contact in the body.',
  getLinks: 'Returns the same as `getConversationLinks`, with the conversation in the query.',
  getConversationTimeline:
    'Returns the messages of a conversation that the caller may see, with the name, role and picture of the author. Accepts the parameters of lists.',
  listConversationMessages:
    'Returns the messages of one conversation, in order unless `sort` sets another. Filter by any field.',
  createConversationMessage:
    'Posts one message, or a list of 1 to 100. All are accepted or none, and processed in order. Returns a message for a message, a list for a list.',
  createMessage:
    'Posts one message, or a list of 1 to 100 into one conversation. All are accepted or none, and processed in order. `isBackchannel` defaults to false for the roles contact and agent, else to true: only the people who staff the conversation see the message. A command with wrong arguments is refused (422). An unknown command is stored without effect, and reported in `X-Hint` and `meta.hint`.',
  listMessages:
    'Returns a page of messages. Filter by any field. A filter on id, organization, conversation, type, role or createdAt is required. Delayed messages are returned for `processedAt=!`, or by id.',
  searchMessages:
    'Returns messages whose text, items or results have, for each word of `q`, a word with that beginning, newest first. Ignores case and accents. `conversation` narrows the search.',
  updateMessage: 'Changes text, actions, items and meta. Webhooks and streams receive the change.',
  deleteMessage: 'Deletes a message. A delayed message is cancelled.',
  deleteContact: 'Deletes a contact, with its conversation and everything in it.',
  setTyping:
    'Shows that the caller is typing to the contact, for ten seconds or until `false`. Streams send it. It is not a message, and webhooks do not receive it.',
  getReport:
    'Counts the conversations created in a range of time, in the organization and below it. Returns the median and the p90 of the times until they were accepted, replied to and closed.',
  getWidgetSecret: 'Returns the creation time of the widget secret, never the secret.',
  createWidgetSecret:
    'Creates a secret with which a website signs its known visitors. Only this response has the secret. The previous secret stays valid for a day.',
  deleteWidgetSecret:
    'Deletes the secret and the previous secret. Signatures of visitors are no longer valid.',
  setChannelOnline: 'Sets whether the caller, a member of the channel, is online.',
  createService:
    'Registers a webhook and verifies it: `GET {url}?type=subscribe&challenge={random}` must return 200. The response is 201 either way. `status` and `statusReason` have the result.',
  updateService:
    'Changes a webhook. `params` is replaced as a whole. A new url is verified. `status`: `disabled` pauses the webhook, `active` verifies it and sends the held deliveries.',
  verifyService: 'Verifies a webhook again, as on its creation.',
  testService:
    'Sends an example to a webhook, with `test: true` in its body. With `event` (202), it is delivered like a real event: through the delivery log, with retries, to pulled and paused webhooks too. Without `event` (200), it is sent at once, also to a webhook that is not active, and the response has the result. It is not logged and not retried.',
  receiveInbound:
    'Stores the entries that a channel adapter received, before it responds. Each entry is posted as an upsert by the identity of its sender. An entry with a known id is posted once.',
  receiveReceipts:
    'Raises `delivery` of messages that the channel carries. A receipt whose status is not higher changes nothing, so receipts may be repeated and arrive in any order.',
  replayService:
    'Sends stored bodies since a time again, newly signed: deliveries with the given status, or deliveries that never arrived.',
  listDeliveries:
    'Returns a page of the deliveries to the webhooks of your organization and below it. Filter by any field.',
  getDelivery:
    'Returns a delivery with its body and every attempt: its time, its outcome, and the first 16 KiB of the response.',
  retryDelivery: 'Sends the stored body again, newly signed.',
  setEventTypeExpression:
    'Stores the body as the JSONata expression. An expression that cannot be parsed is refused (422), with the position and the reason.',
  previewExpression: 'Evaluates an unsaved expression on an event, for editors. Nothing is stored.',
  previewEventType: 'Evaluates a body as an event of this type, and returns the messages. Nothing is posted.',
  sendEvent:
    'Finds the event type by its name, in your organization or the nearest above, evaluates its expression on the body, and posts the result. The event is stored first.',
  sendCloudEvent:
    'Sends a CloudEvent 1.0 in structured or binary form, like `sendEvent`. Its `type` is the name. Its `id` and `source` are the idempotency key.',
  retryEvent:
    'Runs a stored event again, with the current expression of its type. An event that has posted does not post twice.',
  retryEventsOfType:
    'Runs events that failed (or were ignored) since a time again, one by one in the order of arrival. Returns their number. The run survives crashes of processes.',
  retryUnroutedEvents:
    'Runs the unrouted events of a name since a time, in the order of arrival. Events without an event type stay unrouted.',
  getIngestAddress:
    'Returns the user and the signature of the ingest address. The address itself is not returned again.',
  createIngestAddress:
    'Creates an address (`{PUBLIC_URL}/in/{token}`) for systems that accept only a URL. A post to the address is an event of this type by the bot. The previous address and its secret are refused from then on.',
  deleteIngestAddress: 'Deletes the ingest address. Posts to it return 404 from then on.',
  listEvents: 'Returns a page of business events. Filter by any field. Bodies above 16 KiB are left out.',
  getEvent: 'Returns a business event with its body and its outcome.',
};

export function operationWords(route: Address): string {
  return WORDS[operationName(route)] ?? USUAL[`${route.method} ${route.path}`]?.words ?? '';
}
