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
    const changed = `Changes the fields that the body names, and answers the whole ${noun}; null clears a field that is optional. A nested object or list replaces the stored one as a whole.`;
    const page = `A page of the ${noun}s of your organization and those below, by any of their fields.`;
    const shaped = `One ${noun}, in the shape that \`select\` and \`populate\` ask for.`;
    const created = `Creates ${withArticle(noun)}; \`Location\` says where it is.`;
    const deleted = `Deletes the ${noun}: from then on it is answered 404.`;
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
    'Signs in with `email` and `password`, and `otp` where the user has one; or, with `refreshToken` and `clientId` and without an Authorization header, gets new tokens after the access token has expired. Ten failures in 15 minutes for one email lock it for 15 minutes (429).',
  refreshToken:
    'Gets new tokens for a refresh token while the access token is still good. The refresh token is used up; who uses it again ends the whole session.',
  logout: 'Ends the session of the token: its access and refresh tokens are refused from now on.',
  getMe: 'The user whose token it is.',
  updateMe:
    'Changes the user whose token it is. A new email or password needs `currentPassword`, and a session rather than an API key.',
  createOtp:
    'Answers a secret for an authenticator app. It counts once `confirmOtp` has shown that the caller has it.',
  confirmOtp: 'Shows with a one-time password that the caller has the secret: from now on a login needs one.',
  deleteOtp: 'Shows with a one-time password that the caller has the secret: from now on a login needs none.',
  deleteUserOtp:
    'Removes the one-time passwords of a user who has lost the authenticator: from now on their login needs none.',
  listApiKeys: 'The API keys of a user, without the keys themselves.',
  createApiKey: 'Creates an API key. The answer shows it in `token`, this once.',
  deleteApiKey: 'Revokes an API key: it is refused at once, by other processes within five seconds.',
  createUser:
    'Creates a person, or with role bot a bot. Without an email one is made up, which is a bot’s `clientId`.',
  createConversation:
    'With `contact` as an object, an *upsert*: finds the contact by telephone or email, or makes it; finds its conversation (200), or makes it (201); and posts the messages. Else a *plain create* of a conversation, of a contact that has none yet or of nobody.',
  updateConversation:
    'A repair. In everyday work a conversation changes by the messages that are posted into it: `/set`, `/assign`, `/accept`, `/leave`. A nested object or list in the body replaces the stored one as a whole.',
  deleteConversation:
    'Removes the conversation with its contact, its messages, its deliveries and its histories. For test data and requests for removal.',
  listConversations:
    'A page of the conversations within reach, by any of their fields. A filter on `meta` needs another one beside it: id, type, participants.user, status, createdAt, categoryIndex, category, organization or updatedAt.',
  searchConversations:
    'Conversations whose name, forms, results or contact have, for each word of `q`, a word that begins with it; whatever case and accents. Takes `limit`, `offset`, `select` and `populate` as a list does.',
  streamConversation:
    'Server-sent events: what happens in the conversation, as it happens. `Last-Event-ID` or `after` says where to go on. A browser’s EventSource takes the address of `createStreamTicket`.',
  streamConversations:
    'Server-sent events: which conversations of the caller’s organization, and of those below it, are new or have changed, within a second or two, from now on. What happened before is asked of `listConversations`.',
  createStreamTicket: 'An address that opens the stream once, within a minute, without a token.',
  markConversationRead: "The caller's `unreadCount` becomes 0.",
  getConversationLinks:
    'Where the conversation can be gone on with, by touchpoint code: `web` is the chat page.',
  unblockBots:
    'Forgets what the bot-loop rules have counted of a bot in the conversation, or of all bots: it may speak again at once.',
  hurryMessages:
    'Has the messages that wait for their time processed at once, in the order in which they would have come; or the one that is named.',
  getLinks: 'The same as `getConversationLinks`, with the conversation in the query.',
  getConversationTimeline:
    'The messages of a conversation that the caller may see, with the name, role and picture of who wrote each. Takes the parameters of lists.',
  listConversationMessages:
    'The messages of one conversation, in order unless `sort` says another; by any of their fields.',
  createConversationMessage:
    'Posts one message, or a list of 1 to 100: admitted as a whole or refused as a whole, and processed in order. The answer is a message for a message, a list for a list.',
  createMessage:
    'Posts one message, or a list of 1 to 100 into one conversation: admitted as a whole or refused as a whole, and processed in order. `isBackchannel` defaults to true: only the people who staff the conversation see the message, unless it says false or the role is contact or agent. A command with wrong arguments is refused (422); an unknown one is stored without effect, and the answer says so in `X-Hint` and `meta.hint`.',
  listMessages:
    'A page of messages, by any of their fields. At least one of id, organization, conversation, type, role and createdAt has to narrow it. Messages that wait for their time are shown to a query on `processedAt=!`, or by id.',
  updateMessage: 'Changes text, actions, items and meta. Webhooks and streams are told.',
  deleteMessage: 'Deletes a message. One that waits for its time is cancelled.',
  deleteContact: 'Deletes a contact, with its conversation and everything in it.',
  setTyping:
    'Says that the caller is writing to the contact: for ten seconds, or until `false`. Streams tell it; it is no message, and no webhook hears of it.',
  getWidgetSecret: 'Says since when the widget has a secret, and never what it is.',
  createWidgetSecret:
    'Makes a secret for visitors whom a website knows. The answer shows it, this once; the one that it replaces is good for a day more.',
  deleteWidgetSecret: 'Forgets the secret and the one before: no signature of a visitor is valid any more.',
  setChannelOnline: 'Says whether the caller, who is a member of the channel, is there.',
  createService:
    'Registers a webhook and verifies it: `GET {url}?type=subscribe&challenge={random}` has to be answered with 200. The answer is 201 either way; `status` and `statusReason` say what came of it.',
  updateService:
    'Changes a webhook; `params` is replaced as a whole. A new url is verified. `status`: `disabled` pauses it, `active` verifies it and sends what has waited.',
  verifyService: 'Verifies a webhook again, as its creation does.',
  testService:
    'Sends a sample right now, whatever the status of the webhook, and answers what came of it. It is not logged and not tried again.',
  replayService:
    'Sends the stored bodies since a time again, newly signed: those of the given status, or those that never arrived.',
  listDeliveries:
    'A page of the deliveries to the webhooks of your organization and those below, by any of their fields.',
  getDelivery:
    'A delivery with its body and every attempt: when, what came of it, and the first 16 KiB of the answer.',
  retryDelivery: 'Sends the stored body again, newly signed.',
  setEventTypeExpression:
    'The body is the JSONata expression itself. One that cannot be parsed is refused (422), with the position and the reason.',
  previewExpression:
    'For editors: what an expression would make of an event while somebody still writes it. Nothing is stored.',
  previewEventType:
    'Evaluates a body as an event of this type, and answers what it would post. Nothing is posted.',
  sendEvent:
    'Finds the event type by its name, in your organization or the nearest above; evaluates its expression on the body, and posts the result. The event is stored first.',
  sendCloudEvent:
    'The same for a CloudEvent 1.0 in structured or binary form, whose `type` is the name. Its `id` and `source` are the idempotency key.',
  retryEvent:
    'Runs a stored event again, by the expression that its type has now. One that has posted is not posted twice.',
  retryEventsOfType:
    'Runs again what has failed (or was ignored) since a time, one after the other in the order of arrival. The answer says how many; it is done whatever dies meanwhile.',
  retryUnroutedEvents:
    'Runs what was sent under a name since a time and no event type was for, in the order of arrival. What none is for yet stays as it is.',
  getIngestAddress:
    'As whom the address posts, and how posts are signed. The address itself is not shown again.',
  createIngestAddress:
    'Makes an address (`{PUBLIC_URL}/in/{token}`) for systems that can only be given a URL. A post there is an event of this type by the bot. The address before, and its secret, are refused from then on.',
  deleteIngestAddress: 'Ends the address: posts there are answered 404 from then on.',
  listEvents: 'A page of business events, by any of their fields. Bodies above 16 KiB are left out.',
  getEvent: 'A business event with its body, and what became of it.',
};

export function operationWords(route: Address): string {
  return WORDS[operationName(route)] ?? USUAL[`${route.method} ${route.path}`]?.words ?? '';
}
