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
  passwordInput,
  passwordLinkInput,
  passwordLinkSchema,
  passwordSetSchema,
  refreshQuery,
  resetInput,
  tokenInput,
  tokenSchema,
} from './resources/auth/schema.ts';
import { createPasswordLink, requestPasswordReset, setPassword } from './resources/auth/password-link.ts';
import { channels } from './resources/channels/channels.ts';
import { listTeams, onlineInput, putOnline, teamSchema } from './resources/channels/teams.ts';
import { confirmOwnOtp, createOtp, removeUserOtp, removeOwnOtp } from './resources/auth/otp.ts';
import { batchAnswer, batchInput, runBatch } from './resources/batch/batch.ts';
import { createContact, updateContact } from './resources/contacts/contacts.ts';
import { contacts } from './resources/contacts/schema.ts';
import {
  blockedInput,
  changeContactLabels,
  createContactNote,
  getContactProfile,
  labelsInput,
  noteInput,
  profilePatch,
  putContactBlocked,
  removeContactNote,
  updateContactProfile,
} from './resources/contacts/agents.ts';
import { mergeContact, mergeInput, mergedSchema } from './resources/contacts/merge.ts';
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
} from './resources/conversations/list.ts';
import { contactNote, contactProfile, conversationInput } from '../schema/conversation-body.ts';
import {
  conversationPatch,
  changesSchema,
  conversationSchema,
  startedSchema,
  streamQuery,
  streamSchema,
  streamTicketSchema,
} from './resources/conversations/schema.ts';
import { streamChanges, streamConversation, createStreamTicket } from './resources/conversations/stream.ts';
import { createTranscript } from './resources/conversations/transcript.ts';
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
import { eventTypeByName, putEventType } from './resources/eventtypes/by-name.ts';
import { putExpression } from './resources/eventtypes/jsonata.ts';
import { previewDraft, previewEvent } from './resources/eventtypes/preview.ts';
import { createIngest, getIngest, removeIngest } from './resources/eventtypes/ingest.ts';
import { uploadFile, uploadQuery, uploadSchema } from './files/upload.ts';
import { searchQuery } from './listing/search.ts';
import { forms } from './resources/forms/forms.ts';
import { kbItems } from './resources/kbitems/kbitems.ts';
import { carrierSchema, listCarriers } from './resources/conversations/carriers.ts';
import { getConversationLinks, getLinks, linksQuery, linksSchema } from './resources/links/get.ts';
import { getMessage, ownMessage, removeMessage, updateMessage } from './resources/messages/messages.ts';
import { createMessage, createMessageIn } from './resources/messages/create.ts';
import {
  listMessages,
  listMessagesIn,
  messageSearchQuery,
  searchMessages,
} from './resources/messages/list.ts';
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
import { readReport, reportQuery, reportSchema } from './resources/organizations/report.ts';
import { removeOrganization } from './resources/organizations/remove.ts';
import { organizations } from './resources/organizations/schema.ts';
import { listTimers, ownedTimerSchema } from './resources/organizations/timers.ts';
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
import {
  inboundInput,
  inboundSchema,
  receiptsInput,
  receiptsSchema,
  receiveInbound,
  receiveReceipts,
} from './resources/services/inbound.ts';
import { verifyService } from './resources/services/checks.ts';
import { testInput, testSchema, testService } from './resources/services/test-event.ts';
import {
  ackInput,
  ackSchema,
  acknowledgeEvents,
  ownService,
  pullEvents,
  pullQuery,
} from './resources/services/events.ts';
import {
  deliveries,
  listedDeliveries,
  deliverySchema,
  listedDeliverySchema,
  webhookEventSchema,
} from './resources/deliveries/schema.ts';
import { retryDelivery } from './resources/deliveries/retry.ts';
import { createUser, updateUser } from './resources/users/users.ts';
import { removeUser } from './resources/users/remove.ts';
import { colleagueSchema, listColleagues } from './resources/users/colleagues.ts';
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

// oxfmt-ignore
const AUTH: readonly Route[] = [
  openRoute('POST /auth/token', 'Log in, or refresh an expired token', createToken, { body: tokenInput, answer: tokenSchema }),
  route('GET /auth/token', 'guest', 'Refresh a valid token', getToken, { query: refreshQuery, answer: tokenSchema }),
  openRoute('PUT /auth/password', 'Set a password by a link', setPassword, { body: passwordInput, answer: passwordSetSchema }),
  openRoute('POST /auth/password-reset', 'Send a link for setting a password by mail', requestPasswordReset, { body: resetInput }),
  route('POST /auth/logout', 'guest', 'End this session', logout, { session }),
];

// oxfmt-ignore
const BATCH: readonly Route[] = [
  route('POST /batch', 'guest', 'Run many requests', runBatch, { body: batchInput, bodyType: 'application/x-ndjson', answer: batchAnswer, answerType: 'application/x-ndjson' }),
];

// oxfmt-ignore
const ROWS: Readonly<Record<ResourceName, readonly Route[]>> = {
  organizations: [
    ...recordRoutes(organizations, {
      create: createOrganization, update: updateOrganization, remove: removeOrganization,
    }),
    route('GET /organizations/:id/report', 'bot', 'Fetch a report of conversation counts and waiting times', readReport, { query: reportQuery, answer: reportSchema }),
    route('GET /organizations/:id/timers', 'bot', "List an organization's own and inherited timers", listTimers, { answer: listOf(ownedTimerSchema) }),
    route('GET /organizations/:id/widget/secret', 'admin', 'Fetch the creation time of the widget secret', getWidgetSecret, { answer: widgetSecretSchema, secret }),
    route('POST /organizations/:id/widget/secret', 'admin', 'Create a widget secret, returned only once', createWidgetSecret, { answer: widgetSecretSchema, creates, secret }),
    route('DELETE /organizations/:id/widget/secret', 'admin', 'Delete the widget secrets', deleteWidgetSecret),
  ],
  orggroups: kindRoutes(orgGroups),
  users: [
    // Must precede `/users/:id`, which would match it.
    route('GET /users/colleagues', 'agent', "List the people of the caller's organization", listColleagues, { answer: listOf(colleagueSchema) }),
    ...recordRoutes(users, {
      create: createUser, update: updateUser, remove: removeUser,
    }, { fetch: { summary: 'Fetch a user; `me` is the caller' } }),
    route('POST /users/me/otp', 'guest', 'Create a secret for one-time passwords', createOtp, { session, body: otpProposal, answer: otpSchema, secret }),
    route('PUT /users/me/otp', 'guest', 'Confirm the secret and enable one-time passwords', confirmOwnOtp, { session, body: otpInput }),
    route('DELETE /users/me/otp', 'guest', 'Disable one-time passwords', removeOwnOtp, { session, body: otpInput }),
    route('DELETE /users/:id/otp', 'admin', 'Disable the one-time passwords of another user', removeUserOtp, { session }),
    route('POST /users/:id/password-link', 'admin', 'Create a link for setting a password', createPasswordLink, { session, body: passwordLinkInput, bodyIsOptional: true, answer: passwordLinkSchema, secret }),
    route('GET /users/:id/apikeys', 'admin', "List a user's API keys", listApiKeys, { answer: listOf(apiKeySchema), secret }),
    route('POST /users/:id/apikeys', 'admin', 'Create an API key', createApiKey, { body: apiKeyInput, creates, answer: apiKeySchema, secret }),
    route('DELETE /users/:id/apikeys/:key', 'admin', 'Revoke an API key', removeApiKey),
  ],
  conversations: [
    route('GET /conversations', CONVERSATIONS.list, 'List conversations', listConversations, { answer: listOf(conversationSchema) }),
    route('GET /conversations/search', CONVERSATIONS.list, 'Search conversations', searchConversations, { query: searchQuery('the name, the forms, the results and the contact'), answer: listOf(conversationSchema) }),
    route('GET /conversations/stream', 'agent', 'Stream changed conversations', streamChanges, { answer: changesSchema, answerType: 'text/event-stream' }),
    route('GET /conversations/:id', CONVERSATIONS.fetch, 'Fetch a conversation', getConversation, { answer: conversationSchema }),
    route('POST /conversations', CONVERSATIONS.create, 'Create or upsert a conversation', createConversation, { body: conversationInput, creates, statuses, answer: startedSchema }),
    route('GET /conversations/:id/stream', 'guest', 'Stream the events of a conversation', streamConversation, { answer: streamSchema, answerType: 'text/event-stream', query: streamQuery, ticket }),
    route('POST /conversations/:id/stream/ticket', 'guest', "Create a stream address for a browser's EventSource", createStreamTicket, { answer: streamTicketSchema, secret }),
    route('PATCH /conversations/:id', CONVERSATIONS.update, 'Repair a conversation', updateConversation, { body: conversationPatch, answer: conversationSchema }),
    route('DELETE /conversations/:id', CONVERSATIONS.remove, 'Delete a conversation with its contact, messages, deliveries and histories', removeConversation),
    route('POST /conversations/:id/unblock', 'admin', 'Unblock bots that a loop rule blocks', unblockBots, { body: unblockInput, bodyIsOptional: true, answer: conversationSchema }),
    route('POST /conversations/:id/hurry', 'admin', 'Process delayed messages now', hurryMessages, { body: hurryInput, bodyIsOptional: true, answer: conversationSchema }),
    route('PUT /conversations/:id/read', 'guest', 'Mark a conversation as read by the caller', readConversation),
    route('PUT /conversations/:id/typing', 'agent', "Show or hide the caller's typing indicator", putTyping, { body: typingInput }),
    route('GET /conversations/:id/carriers', 'agent', 'List the channels that may carry a reply', listCarriers, { answer: listOf(carrierSchema) }),
    route('POST /conversations/:id/transcript', 'agent', 'Create a transcript, a file of the conversation', createTranscript, { statuses: [201], answer: uploadSchema }),
    route('GET /conversations/:id/links', 'guest', "Fetch a conversation's links", getConversationLinks, { answer: linksSchema }),
    route('GET /links', 'guest', "Fetch a conversation's links", getLinks, { query: linksQuery, answer: linksSchema }),
    route('GET /conversations/:id/messages', MESSAGES.list, "List a conversation's messages", listMessagesIn, { answer: listOf(messageSchema) }),
    route('GET /conversations/:id/timeline', 'agent', "List a conversation's messages with the names of their authors", readTimeline, { answer: listOf(timelineSchema) }),
    route('POST /conversations/:id/messages', MESSAGES.create, 'Post messages into a conversation', createMessageIn, { body: messagesInput, creates, statuses, answer: postedSchema }),
  ],
  messages: [
    route('GET /messages', MESSAGES.list, 'List messages', listMessages, { answer: listOf(messageSchema) }),
    route('GET /messages/search', 'agent', 'Search messages, newest first', searchMessages, { query: messageSearchQuery, answer: listOf(messageSchema) }),
    route('GET /messages/:id', MESSAGES.fetch, 'Fetch a message', getMessage, { answer: messageSchema }),
    route('PATCH /messages/:id', MESSAGES.update, 'Update a message, or reschedule a delayed message', updateMessage, { body: messagePatch, answer: messageSchema, own: ownMessage }),
    route('DELETE /messages/:id', MESSAGES.remove, 'Delete a message, or cancel a delayed message', removeMessage, { own: ownMessage }),
    route('POST /messages', MESSAGES.create, 'Post messages', createMessage, { body: addressedMessagesInput, creates, statuses, answer: postedSchema }),
  ],
  contacts: [
    ...recordRoutes(contacts, {
      create: createContact, update: updateContact, remove: removeContact,
    }, {
      // The handler or the conversation's workflow publishes the event.
      remove: { summary: 'Delete a contact and its conversations', announces: null },
    }),
    route('POST /contacts/:id/merge', 'admin', 'Merge a duplicate into a contact', mergeContact, { body: mergeInput, creates, statuses: [200], answer: mergedSchema }),
    route('GET /contacts/:id/profile', 'agent', "Fetch a contact's profile", getContactProfile, { answer: contactProfile }),
    route('PATCH /contacts/:id/profile', 'agent', "Update a contact's profile", updateContactProfile, { body: profilePatch, answer: contactProfile }),
    route('PUT /contacts/:id/blocked', 'agent', 'Block or unblock a contact', putContactBlocked, { body: blockedInput, answer: contacts.schema }),
    route('POST /contacts/:id/labels', 'agent', 'Add and remove labels of a contact', changeContactLabels, { body: labelsInput, statuses: [200], answer: contacts.schema }),
    route('POST /contacts/:id/notes', 'agent', 'Create a note about a contact', createContactNote, { body: noteInput, creates, answer: contactNote }),
    route('DELETE /contacts/:id/notes/:note', 'agent', 'Delete a note about a contact', removeContactNote),
  ],
  kbitems: kindRoutes(kbItems),
  forms: kindRoutes(forms),
  channels: [
    // Must precede `/channels/:id`, which would match it.
    route('GET /channels/teams', 'agent', 'List the teams to which a conversation can be assigned', listTeams, { answer: listOf(teamSchema) }),
    ...kindRoutes(channels),
    route('PUT /channels/:id/online', 'agent', "Set the caller's online status in a channel", putOnline, { body: onlineInput, answer: channels.schema, announces: 'channel.update' }),
  ],
  services: [
    ...recordRoutes(services, {
      create: createService, update: updateService, remove: removeService,
    }, { create: { summary: 'Register a webhook' } }),
    route('POST /services/:id/verify', 'admin', 'Verify a webhook again', verifyService, { answer: services.schema, announces: 'service.update', secret }),
    route('POST /services/:id/test', 'admin', 'Send a test event to a webhook', testService, { body: testInput, bodyIsOptional: true, answer: testSchema, statuses: [200, 202] }),
    route('GET /services/:id/events', 'admin', 'Pull the events of a webhook without an address', pullEvents, { query: pullQuery, answer: listOf(webhookEventSchema), secret, own: ownService }),
    route('POST /services/:id/events/ack', 'admin', 'Acknowledge pulled events', acknowledgeEvents, { body: ackInput, answer: ackSchema, own: ownService }),
    route('POST /services/:id/inbound', 'bot', 'Post entries that a channel adapter received', receiveInbound, { body: inboundInput, answer: inboundSchema, statuses: [202] }),
    route('POST /services/:id/receipts', 'bot', 'Report receipts of messages that a channel carries', receiveReceipts, { body: receiptsInput, answer: receiptsSchema, statuses: [202] }),
    route('POST /services/:id/replay', 'admin', 'Send events to a webhook again', replayService, { body: replayInput, answer: replaySchema }),
  ],
  deliveries: [
    route('GET /deliveries', DELIVERIES.list, 'List deliveries', listHandler(listedDeliveries), { answer: listOf(listedDeliverySchema) }),
    route('GET /deliveries/:id', DELIVERIES.fetch, 'Fetch a delivery with its attempts', getHandler(deliveries), { answer: deliverySchema, secret }),
    route('POST /deliveries/:id/retry', 'admin', 'Send a delivery again', retryDelivery, { answer: deliverySchema, secret }),
  ],
  eventtypes: [
    ...kindRoutes(eventTypes),
    // Must precede `/eventtypes/:id/jsonata`, which would match an event type named `jsonata`.
    route('PUT /eventtypes/by-name/:name', 'admin', 'Create or replace an event type by name', putEventType, { body: eventTypeByName, statuses, answer: eventTypes.schema }),
    route('PUT /eventtypes/:id/jsonata', 'admin', "Set an event type's expression", putExpression, { body: Expression, bodyType: 'text/plain', answer: eventTypes.schema, announces: 'eventtype.update' }),
    route('POST /eventtypes/:id/preview', 'admin', 'Preview the messages of an event', previewEvent, { body: eventInput, eventTypes: writtenEvent, answer: previewSchema }),
    route('POST /eventtypes/:id/retry', 'admin', 'Retry the failed events of an event type', retryEventsOfType, { body: typeRetryInput, answer: retriedSchema, statuses: [202] }),
    route('GET /eventtypes/:id/ingest', 'admin', "Fetch an event type's ingest address, without its token", getIngest, { answer: ingestSchema }),
    route('POST /eventtypes/:id/ingest', 'admin', 'Create or replace the ingest address of an event type', createIngest, { body: ingestInput, creates, answer: ingestSchema, secret, refusesUnknown: true }),
    route('DELETE /eventtypes/:id/ingest', 'admin', "Delete an event type's ingest address", removeIngest),
    route('POST /eventtypes/preview', 'admin', 'Preview an unsaved expression on an event', previewDraft, { body: expressionDraftInput, holdsEvent: true, answer: previewSchema }),
  ],
  events: [
    route('GET /events', EVENTS.list, 'List business events', listHandler(events), { answer: listOf(eventSchema) }),
    route('GET /events/:id', EVENTS.fetch, 'Fetch a business event', getHandler(events), { answer: eventSchema }),
    // Must precede `/events/:name`, which would match it. POST /events takes an event named `retry`
    // as a CloudEvent.
    route('POST /events/retry', 'bot', 'Retry unrouted events', retryUnrouted, { body: unroutedRetryInput, answer: retriedSchema, statuses: [202] }),
    route('POST /events/:name', EVENTS.create, 'Send a business event', createEvent, { body: eventInput, eventTypes: writtenEvent, creates, statuses: [200], answer: eventOutcomeSchema }),
    route('POST /events', EVENTS.create, 'Send a business event as a CloudEvent', createEvent, { body: eventInput, eventTypes: writtenEvent, creates, statuses: [200], answer: eventOutcomeSchema }),
    route('POST /events/:id/retry', 'bot', 'Retry a business event', retryEvent, { answer: eventOutcomeSchema }),
  ],
};

// oxfmt-ignore
const FILES: readonly Route[] = [
  route('POST /files', 'guest', 'Upload a file for a message', uploadFile, { query: uploadQuery, takesFile: true, statuses: [201], answer: uploadSchema, secret }),
];

/** All routes below /v2, with their scopes (spec 4.2). */
export const ROUTES: readonly Route[] = [...AUTH, ...BATCH, ...Object.values(ROWS).flat(), ...FILES];
