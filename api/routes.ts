import {
  createApiKey,
  listApiKeys,
  removeApiKey,
  apiKeyInput,
  apiKeySchema,
} from './resources/apikeys/apikeys.ts';
import { createToken, getToken, logout } from './resources/auth/tokens.ts';
import {
  otpInput,
  otpProposal,
  otpSchema,
  refreshQuery,
  tokenInput,
  tokenSchema,
} from './resources/auth/schema.ts';
import { channels } from './resources/channels/channels.ts';
import { onlineInput, putOnline } from './resources/channels/online.ts';
import { confirmOwnOtp, createOtp, removeUserOtp, removeOwnOtp } from './resources/auth/otp.ts';
import { createContact, updateContact } from './resources/contacts/contacts.ts';
import { contacts } from './resources/contacts/schema.ts';
import { removeContact } from './resources/contacts/remove.ts';
import {
  createConversation,
  getConversation,
  readConversation,
  removeConversation,
  putTyping,
  typingInput,
} from './resources/conversations/conversations.ts';
import {
  hurryInput,
  hurryMessages,
  unblockBots,
  unblockInput,
  updateConversation,
} from './resources/conversations/update.ts';
import {
  listConversations,
  readTimeline,
  timelineSchema,
  searchConversations,
  searchQuery,
} from './resources/conversations/list.ts';
import { conversationInput } from '../schema/conversation-body.ts';
import {
  conversationPatch,
  changesSchema,
  conversationSchema,
  streamQuery,
  streamSchema,
  streamTicketSchema,
} from './resources/conversations/schema.ts';
import { streamChanges, streamConversation, createStreamTicket } from './resources/conversations/stream.ts';
import { Expression } from '../store/records/eventtypes.ts';
import { createEvent } from './resources/business-events/create.ts';
import {
  events,
  eventInput,
  eventOutcomeSchema,
  eventSchema,
  eventTypes as writtenEvent,
} from './resources/business-events/schema.ts';
import {
  retryEvent,
  retriedSchema,
  retryEventsOfType,
  retryUnrouted,
  typeRetryInput,
  unroutedRetryInput,
} from './resources/business-events/retry.ts';
import {
  eventTypes,
  expressionDraftInput,
  ingestInput,
  ingestSchema,
  previewSchema,
} from './resources/eventtypes/eventtypes.ts';
import { putExpression } from './resources/eventtypes/jsonata.ts';
import { previewDraft, previewEvent } from './resources/eventtypes/preview.ts';
import { createIngest, getIngest, removeIngest } from './resources/eventtypes/ingest.ts';
import { forms } from './resources/forms/forms.ts';
import { kbItems } from './resources/kbitems/kbitems.ts';
import { getConversationLinks, getLinks, linksQuery, linksSchema } from './resources/links/get.ts';
import { removeMessage, updateMessage, getMessage } from './resources/messages/messages.ts';
import { createMessage, createMessageIn } from './resources/messages/create.ts';
import { listMessages, listMessagesIn } from './resources/messages/list.ts';
import { addressedMessagesInput, messagesInput, messagePatch } from '../schema/message-body.ts';
import { messageSchema, postedSchema } from './resources/messages/schema.ts';
import {
  createWidgetSecret,
  getWidgetSecret,
  deleteWidgetSecret,
  widgetSecretSchema,
  createOrganization,
  updateOrganization,
} from './resources/organizations/organizations.ts';
import { removeOrganization } from './resources/organizations/remove.ts';
import { organizations } from './resources/organizations/schema.ts';
import { orgGroups } from './resources/orggroups/orggroups.ts';
import { RESOURCES } from '../domain/resources.ts';
import type { ResourceName } from '../domain/resources.ts';
import { getHandler, listHandler, kindRoutes, recordRoutes } from './records/handlers.ts';
import { openRoute, route } from './route.ts';
import type { Route } from './route.ts';
import { listOf } from '../schema/kinds.ts';
import {
  createService,
  updateService,
  removeService,
  replayInput,
  replaySchema,
  replayService,
} from './resources/services/services.ts';
import { services } from './resources/services/schema.ts';
import { testSchema, testService, verifyService } from './resources/services/checks.ts';
import {
  deliveries,
  listedDeliveries,
  deliverySchema,
  listedDeliverySchema,
} from './resources/deliveries/schema.ts';
import { retryDelivery } from './resources/deliveries/retry.ts';
import { createUser, updateUser } from './resources/users/users.ts';
import { removeUser } from './resources/users/remove.ts';
import { users } from './resources/users/schema.ts';

const creates = true;
const secret = true;
const session = true;
const ticket = true;
/** 200 when the record already existed. */
const statuses = [201, 200];

const CONVERSATIONS = RESOURCES.conversations.scopes;
const MESSAGES = RESOURCES.messages.scopes;
const DELIVERIES = RESOURCES.deliveries.scopes;
const EVENTS = RESOURCES.events.scopes;

// prettier-ignore
const AUTH: readonly Route[] = [
  openRoute('POST /auth/token', 'Log in, or refresh an expired token', createToken, { body: tokenInput, answer: tokenSchema }),
  route('GET /auth/token', 'guest', 'Refresh a token that is still good', getToken, { query: refreshQuery, answer: tokenSchema }),
  route('POST /auth/logout', 'guest', 'End this session', logout, { session }),
];

// prettier-ignore
const ROWS: Readonly<Record<ResourceName, readonly Route[]>> = {
  organizations: [
    ...recordRoutes(organizations, {
      create: createOrganization, update: updateOrganization, remove: removeOrganization,
    }),
    route('GET /organizations/:id/widget/secret', 'admin', 'Say since when the widget has a secret', getWidgetSecret, { answer: widgetSecretSchema, secret }),
    route('POST /organizations/:id/widget/secret', 'admin', 'Give the widget a new secret, shown in this answer only', createWidgetSecret, { answer: widgetSecretSchema, creates, secret }),
    route('DELETE /organizations/:id/widget/secret', 'admin', "Forget the widget's secrets", deleteWidgetSecret),
  ],
  orggroups: kindRoutes(orgGroups),
  users: [
    ...recordRoutes(users, {
      create: createUser, update: updateUser, remove: removeUser,
    }, { fetch: { summary: 'Fetch a user; `me` is the caller' } }),
    route('POST /users/me/otp', 'guest', 'Ask for a secret for one-time passwords', createOtp, { session, body: otpProposal, answer: otpSchema, secret }),
    route('PUT /users/me/otp', 'guest', 'Confirm the secret: from now on a login needs a one-time password', confirmOwnOtp, { session, body: otpInput }),
    route('DELETE /users/me/otp', 'guest', 'Log in without one-time passwords again', removeOwnOtp, { session, body: otpInput }),
    route('DELETE /users/:id/otp', 'admin', 'Let a user below log in without one-time passwords again', removeUserOtp, { session }),
    route('GET /users/:id/apikeys', 'admin', "List a user's API keys", listApiKeys, { answer: listOf(apiKeySchema), secret }),
    route('POST /users/:id/apikeys', 'admin', 'Create an API key', createApiKey, { body: apiKeyInput, creates, answer: apiKeySchema, secret }),
    route('DELETE /users/:id/apikeys/:key', 'admin', 'Revoke an API key', removeApiKey),
  ],
  conversations: [
    route('GET /conversations', CONVERSATIONS.list, 'List conversations', listConversations, { answer: listOf(conversationSchema) }),
    route('GET /conversations/search', CONVERSATIONS.list, 'Search conversations', searchConversations, { query: searchQuery, answer: listOf(conversationSchema) }),
    route('GET /conversations/stream', 'agent', 'Hear which conversations change', streamChanges, { answer: changesSchema, answerType: 'text/event-stream' }),
    route('GET /conversations/:id', CONVERSATIONS.fetch, 'Fetch a conversation', getConversation, { answer: conversationSchema }),
    route('POST /conversations', CONVERSATIONS.create, 'Create or upsert a conversation', createConversation, { body: conversationInput, creates, statuses, answer: conversationSchema }),
    route('GET /conversations/:id/stream', 'guest', 'Hear what happens in a conversation', streamConversation, { answer: streamSchema, answerType: 'text/event-stream', query: streamQuery, ticket }),
    route('POST /conversations/:id/stream/ticket', 'guest', "Ask for an address of the stream for a browser's EventSource", createStreamTicket, { answer: streamTicketSchema, secret }),
    route('PATCH /conversations/:id', CONVERSATIONS.update, 'Repair a conversation', updateConversation, { body: conversationPatch, answer: conversationSchema }),
    route('DELETE /conversations/:id', CONVERSATIONS.remove, 'Delete a conversation with its contact, messages, deliveries and histories', removeConversation),
    route('POST /conversations/:id/unblock', 'admin', 'Let a bot that a loop rule blocks speak again', unblockBots, { body: unblockInput, answer: conversationSchema }),
    route('POST /conversations/:id/hurry', 'admin', 'Have delayed messages processed at once', hurryMessages, { body: hurryInput, answer: conversationSchema }),
    route('PUT /conversations/:id/read', 'guest', 'Mark everything as read by the caller', readConversation),
    route('PUT /conversations/:id/typing', 'agent', 'Say that the caller is writing to the contact, or has stopped', putTyping, { body: typingInput }),
    route('GET /conversations/:id/links', 'guest', "Fetch a conversation's links", getConversationLinks, { answer: linksSchema }),
    route('GET /links', 'guest', "Fetch a conversation's links", getLinks, { query: linksQuery, answer: linksSchema }),
    route('GET /conversations/:id/messages', MESSAGES.list, "List a conversation's messages", listMessagesIn, { answer: listOf(messageSchema) }),
    route('GET /conversations/:id/timeline', 'agent', "List a conversation's messages with the names of their authors", readTimeline, { answer: listOf(timelineSchema) }),
    route('POST /conversations/:id/messages', MESSAGES.create, 'Post into a conversation', createMessageIn, { body: messagesInput, creates, statuses, answer: postedSchema }),
  ],
  messages: [
    route('GET /messages', MESSAGES.list, 'List messages', listMessages, { answer: listOf(messageSchema) }),
    route('GET /messages/:id', MESSAGES.fetch, 'Fetch a message', getMessage, { answer: messageSchema }),
    route('PATCH /messages/:id', MESSAGES.update, 'Change the content of a message', updateMessage, { body: messagePatch, answer: messageSchema }),
    route('DELETE /messages/:id', MESSAGES.remove, 'Delete a message; cancel one that waits for its time', removeMessage),
    route('POST /messages', MESSAGES.create, 'Post messages', createMessage, { body: addressedMessagesInput, creates, statuses, answer: postedSchema }),
  ],
  contacts: recordRoutes(contacts, {
    create: createContact, update: updateContact, remove: removeContact,
  }, {
    // The handler or the conversation's workflow publishes the event.
    remove: { summary: 'Delete a contact and its conversation', announces: null },
  }),
  kbitems: kindRoutes(kbItems),
  forms: kindRoutes(forms),
  channels: [
    ...kindRoutes(channels),
    route('PUT /channels/:id/online', 'agent', 'Say whether the caller is online in a channel', putOnline, { body: onlineInput, answer: channels.schema, announces: 'channel.update' }),
  ],
  services: [
    ...recordRoutes(services, {
      create: createService, update: updateService, remove: removeService,
    }, { create: { summary: 'Register a webhook' } }),
    route('POST /services/:id/verify', 'admin', 'Verify a webhook again', verifyService, { answer: services.schema, announces: 'service.update', secret }),
    route('POST /services/:id/test', 'admin', 'Send a sample to a webhook', testService, { answer: testSchema }),
    route('POST /services/:id/replay', 'admin', 'Send events to a webhook again', replayService, { body: replayInput, answer: replaySchema }),
  ],
  deliveries: [
    route('GET /deliveries', DELIVERIES.list, 'List deliveries', listHandler(listedDeliveries), { answer: listOf(listedDeliverySchema) }),
    route('GET /deliveries/:id', DELIVERIES.fetch, 'Fetch a delivery with its attempts', getHandler(deliveries), { answer: deliverySchema, secret }),
    route('POST /deliveries/:id/retry', 'admin', 'Send a delivery again', retryDelivery, { answer: deliverySchema, secret }),
  ],
  eventtypes: [
    ...kindRoutes(eventTypes),
    route('PUT /eventtypes/:id/jsonata', 'admin', "Set an event type's expression", putExpression, { body: Expression, bodyType: 'text/plain', answer: eventTypes.schema, announces: 'eventtype.update' }),
    route('POST /eventtypes/:id/preview', 'admin', 'Show what an event would post', previewEvent, { body: eventInput, eventTypes: writtenEvent, answer: previewSchema }),
    route('POST /eventtypes/:id/retry', 'admin', "Run an event type's failed events again", retryEventsOfType, { body: typeRetryInput, answer: retriedSchema, statuses: [202] }),
    route('GET /eventtypes/:id/ingest', 'admin', "Fetch an event type's ingest address, without its token", getIngest, { answer: ingestSchema }),
    route('POST /eventtypes/:id/ingest', 'admin', 'Make an address for systems that can only be given a URL; the one before ends', createIngest, { body: ingestInput, creates, answer: ingestSchema, secret }),
    route('DELETE /eventtypes/:id/ingest', 'admin', "End an event type's ingest address", removeIngest),
    route('POST /eventtypes/preview', 'admin', 'Show what an expression would make of an event, before it is kept', previewDraft, { body: expressionDraftInput, holdsEvent: true, answer: previewSchema }),
  ],
  events: [
    route('GET /events', EVENTS.list, 'List business events', listHandler(events), { answer: listOf(eventSchema) }),
    route('GET /events/:id', EVENTS.fetch, 'Fetch a business event', getHandler(events), { answer: eventSchema }),
    // Must precede `/events/:name`, which would match it. POST /events takes an event named `retry`
    // as a CloudEvent.
    route('POST /events/retry', 'bot', 'Run what no event type was for', retryUnrouted, { body: unroutedRetryInput, answer: retriedSchema, statuses: [202] }),
    route('POST /events/:name', EVENTS.create, 'Send a business event', createEvent, { body: eventInput, eventTypes: writtenEvent, creates, statuses: [200], answer: eventOutcomeSchema }),
    route('POST /events', EVENTS.create, 'Send a business event that names itself: a CloudEvent', createEvent, { body: eventInput, eventTypes: writtenEvent, creates, statuses: [200], answer: eventOutcomeSchema }),
    route('POST /events/:id/retry', 'bot', 'Run a business event again', retryEvent, { answer: eventOutcomeSchema }),
  ],
};

/** All routes below /v2, with their scopes (spec 4.2). */
export const ROUTES: readonly Route[] = [...AUTH, ...Object.values(ROWS).flat()];
