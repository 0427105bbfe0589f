import { createApiKey } from './resources/apikeys/create.ts';
import { listApiKeys } from './resources/apikeys/list.ts';
import { removeApiKey } from './resources/apikeys/remove.ts';
import { apiKeyInput, apiKeySchema } from './resources/apikeys/schema.ts';
import { createToken } from './resources/auth/create-token.ts';
import { getToken } from './resources/auth/get-token.ts';
import { logout } from './resources/auth/logout.ts';
import {
  otpInput,
  otpProposal,
  otpSchema,
  refreshQuery,
  tokenInput,
  tokenSchema,
} from './resources/auth/schema.ts';
import { channels } from './resources/channels/channels.ts';
import { putOnline } from './resources/channels/online.ts';
import { channelInput, channelPatch, channelSchema, onlineInput } from './resources/channels/schema.ts';
import { confirmOwnOtp, createOtp, removeOtpOf, removeOwnOtp } from './resources/auth/otp.ts';
import { createContact } from './resources/contacts/create.ts';
import { getContact } from './resources/contacts/get.ts';
import { listContacts } from './resources/contacts/list.ts';
import { removeContact } from './resources/contacts/remove.ts';
import { contactInput, contactPatch, contactSchema } from './resources/contacts/schema.ts';
import { updateContact } from './resources/contacts/update.ts';
import { createConversation } from './resources/conversations/create.ts';
import { getConversation } from './resources/conversations/get.ts';
import { listConversations } from './resources/conversations/list.ts';
import { conversationInput } from '../schema/conversation-body.ts';
import {
  conversationSchema,
  streamQuery,
  streamSchema,
  streamTicketSchema,
} from './resources/conversations/schema.ts';
import { searchConversations, searchQuery } from './resources/conversations/search.ts';
import { streamConversation } from './resources/conversations/stream.ts';
import { createStreamTicket } from './resources/conversations/stream-ticket.ts';
import { createEvent } from './resources/business-events/create.ts';
import { getEvent } from './resources/business-events/get.ts';
import { listEvents } from './resources/business-events/list.ts';
import { retryEvent } from './resources/business-events/retry.ts';
import { eventInput, eventOutcomeSchema, eventSchema } from './resources/business-events/schema.ts';
import { eventTypes } from './resources/eventtypes/eventtypes.ts';
import { putExpression } from './resources/eventtypes/jsonata.ts';
import { previewEvent } from './resources/eventtypes/preview.ts';
import {
  eventTypeInput,
  eventTypePatch,
  eventTypeSchema,
  expressionInput,
  previewSchema,
} from './resources/eventtypes/schema.ts';
import { forms } from './resources/forms/forms.ts';
import { formInput, formPatch, formSchema } from './resources/forms/schema.ts';
import { kbItems } from './resources/kbitems/kbitems.ts';
import { kbItemInput, kbItemPatch, kbItemSchema } from './resources/kbitems/schema.ts';
import { readConversation } from './resources/conversations/read.ts';
import { removeConversation } from './resources/conversations/remove.ts';
import { conversationPatch } from './resources/conversations/patch-schema.ts';
import { updateConversation } from './resources/conversations/update.ts';
import { getConversationLinks, getLinks } from './resources/links/get.ts';
import { linksQuery, linksSchema } from './resources/links/schema.ts';
import { removeMessage } from './resources/messages/remove.ts';
import { updateMessage } from './resources/messages/update.ts';
import { createMessage, createMessageIn } from './resources/messages/create.ts';
import { getMessage } from './resources/messages/get.ts';
import { listMessages, listMessagesIn } from './resources/messages/list.ts';
import { addressedMessagesInput, messagesInput, messagePatch } from '../schema/message-body.ts';
import { messageSchema, postedSchema } from './resources/messages/schema.ts';
import { createOrganization } from './resources/organizations/create.ts';
import { getOrganization } from './resources/organizations/get.ts';
import { listOrganizations } from './resources/organizations/list.ts';
import { removeOrganization } from './resources/organizations/remove.ts';
import {
  organizationInput,
  organizationPatch,
  organizationSchema,
} from './resources/organizations/schema.ts';
import { updateOrganization } from './resources/organizations/update.ts';
import { orgGroups } from './resources/orggroups/orggroups.ts';
import { orgGroupInput, orgGroupPatch, orgGroupSchema } from './resources/orggroups/schema.ts';
import { openRoute, route } from './route.ts';
import type { Route } from './route.ts';
import { listOf } from '../schema/kinds.ts';
import { createService } from './resources/services/create.ts';
import { getService } from './resources/services/get.ts';
import { listServices } from './resources/services/list.ts';
import { removeService } from './resources/services/remove.ts';
import { serviceInput, servicePatch, serviceSchema } from './resources/services/schema.ts';
import { updateService } from './resources/services/update.ts';
import { replayInput, replaySchema, replayService } from './resources/services/replay.ts';
import { testSchema, testService } from './resources/services/test.ts';
import { verifyService } from './resources/services/verify.ts';
import { getDelivery } from './resources/deliveries/get.ts';
import { listDeliveries } from './resources/deliveries/list.ts';
import { retryDelivery } from './resources/deliveries/retry.ts';
import { deliverySchema, listedDeliverySchema } from './resources/deliveries/schema.ts';
import { createUser } from './resources/users/create.ts';
import { getUser } from './resources/users/get.ts';
import { listUsers } from './resources/users/list.ts';
import { removeUser } from './resources/users/remove.ts';
import { userInput, userPatch, userSchema } from './resources/users/schema.ts';
import { updateUser } from './resources/users/update.ts';

const creates = true;
const secret = true;
const session = true;
const ticket = true;
/** 200 where what was to be created was there before. */
const statuses = [201, 200];

/**
 * Everything the API answers below /v2, and the lowest scope it is answered to (spec 4.2; `self`:
 * for the caller's own record).
 */
// prettier-ignore
export const ROUTES: readonly Route[] = [
  openRoute('POST /auth/token', 'Log in, or refresh an expired token', createToken, { body: tokenInput, answer: tokenSchema }),
  route('GET /auth/token', 'guest', 'Refresh a token that is still good', getToken, { query: refreshQuery, answer: tokenSchema }),
  route('POST /auth/logout', 'guest', 'End this session', logout, { session }),

  route('GET /organizations', 'bot', 'List organizations', listOrganizations, { answer: listOf(organizationSchema) }),
  route('GET /organizations/:id', 'bot', 'Fetch an organization', getOrganization, { answer: organizationSchema }),
  route('POST /organizations', 'admin', 'Create an organization', createOrganization, { body: organizationInput, creates, answer: organizationSchema, announces: 'organization.create' }),
  route('PATCH /organizations/:id', 'admin', 'Change an organization', updateOrganization, { body: organizationPatch, answer: organizationSchema, announces: 'organization.update' }),
  route('DELETE /organizations/:id', 'admin', 'Delete an organization', removeOrganization, { announces: 'organization.delete' }),

  route('GET /orggroups', 'bot', 'List organization groups', orgGroups.list, { answer: listOf(orgGroupSchema) }),
  route('GET /orggroups/:id', 'bot', 'Fetch an organization group', orgGroups.get, { answer: orgGroupSchema }),
  route('POST /orggroups', 'admin', 'Create an organization group', orgGroups.create, { body: orgGroupInput, creates, answer: orgGroupSchema, announces: 'orggroup.create' }),
  route('PATCH /orggroups/:id', 'admin', 'Change an organization group', orgGroups.update, { body: orgGroupPatch, answer: orgGroupSchema, announces: 'orggroup.update' }),
  route('DELETE /orggroups/:id', 'admin', 'Delete an organization group', orgGroups.remove, { announces: 'orggroup.delete' }),

  route('GET /users', 'bot', 'List users', listUsers, { answer: listOf(userSchema) }),
  route('GET /users/:id', 'bot', 'Fetch a user; `me` is the caller', getUser, { self: 'guest', answer: userSchema }),
  route('POST /users', 'admin', 'Create a user', createUser, { body: userInput, creates, answer: userSchema, announces: 'user.create' }),
  route('PATCH /users/:id', 'admin', 'Change a user', updateUser, { self: 'guest', body: userPatch, answer: userSchema, announces: 'user.update' }),
  route('DELETE /users/:id', 'admin', 'Delete a user', removeUser, { announces: 'user.delete' }),
  route('POST /users/me/otp', 'guest', 'Ask for a secret for one-time passwords', createOtp, { session, body: otpProposal, answer: otpSchema, secret }),
  route('PUT /users/me/otp', 'guest', 'Confirm the secret: from now on a login needs a one-time password', confirmOwnOtp, { session, body: otpInput }),
  route('DELETE /users/me/otp', 'guest', 'Log in without one-time passwords again', removeOwnOtp, { session, body: otpInput }),
  route('DELETE /users/:id/otp', 'admin', 'Let a user below log in without one-time passwords again', removeOtpOf, { session }),
  route('GET /users/:id/apikeys', 'admin', "List a user's API keys", listApiKeys, { answer: listOf(apiKeySchema), secret }),
  route('POST /users/:id/apikeys', 'admin', 'Create an API key', createApiKey, { body: apiKeyInput, creates, answer: apiKeySchema, secret }),
  route('DELETE /users/:id/apikeys/:key', 'admin', 'Revoke an API key', removeApiKey),

  route('GET /conversations', 'agent', 'List conversations', listConversations, { answer: listOf(conversationSchema) }),
  route('GET /conversations/search', 'agent', 'Search conversations', searchConversations, { query: searchQuery, answer: listOf(conversationSchema) }),
  route('GET /conversations/:id', 'guest', 'Fetch a conversation', getConversation, { answer: conversationSchema }),
  route('POST /conversations', 'agent', 'Create or upsert a conversation', createConversation, { body: conversationInput, creates, statuses, answer: conversationSchema }),
  route('GET /conversations/:id/stream', 'guest', 'Hear what happens in a conversation', streamConversation, { answer: streamSchema, answerType: 'text/event-stream', query: streamQuery, ticket }),
  route('POST /conversations/:id/stream/ticket', 'guest', "Ask for an address of the stream for a browser's EventSource", createStreamTicket, { answer: streamTicketSchema, secret }),
  route('PATCH /conversations/:id', 'admin', 'Repair a conversation', updateConversation, { body: conversationPatch, answer: conversationSchema }),
  route('DELETE /conversations/:id', 'admin', 'Delete a conversation with its contact, messages, deliveries and histories', removeConversation),
  route('PUT /conversations/:id/read', 'guest', 'Mark everything as read by the caller', readConversation),
  route('GET /conversations/:id/links', 'guest', "Fetch a conversation's links", getConversationLinks, { answer: linksSchema }),
  route('GET /links', 'guest', "Fetch a conversation's links", getLinks, { query: linksQuery, answer: linksSchema }),
  route('GET /conversations/:id/messages', 'bot', "List a conversation's messages", listMessagesIn, { answer: listOf(messageSchema) }),
  route('POST /conversations/:id/messages', 'guest', 'Post into a conversation', createMessageIn, { body: messagesInput, creates, statuses, answer: postedSchema }),

  route('GET /messages', 'bot', 'List messages', listMessages, { answer: listOf(messageSchema) }),
  route('GET /messages/:id', 'bot', 'Fetch a message', getMessage, { answer: messageSchema }),
  route('PATCH /messages/:id', 'bot', 'Change the content of a message', updateMessage, { body: messagePatch, answer: messageSchema }),
  route('DELETE /messages/:id', 'admin', 'Delete a message; cancel one that waits for its time', removeMessage),
  route('POST /messages', 'guest', 'Post messages', createMessage, { body: addressedMessagesInput, creates, statuses, answer: postedSchema }),

  route('GET /contacts', 'agent', 'List contacts', listContacts, { answer: listOf(contactSchema) }),
  route('GET /contacts/:id', 'bot', 'Fetch a contact', getContact, { answer: contactSchema }),
  route('POST /contacts', 'bot', 'Create a contact', createContact, { body: contactInput, creates, answer: contactSchema, announces: 'contact.create' }),
  route('PATCH /contacts/:id', 'bot', 'Change a contact', updateContact, { body: contactPatch, answer: contactSchema, announces: 'contact.update' }),
  route('DELETE /contacts/:id', 'admin', 'Delete a contact and its conversation', removeContact),

  route('GET /kbitems', 'agent', 'List knowledge items', kbItems.list, { answer: listOf(kbItemSchema) }),
  route('GET /kbitems/:id', 'agent', 'Fetch a knowledge item', kbItems.get, { answer: kbItemSchema }),
  route('POST /kbitems', 'agent', 'Create a knowledge item', kbItems.create, { body: kbItemInput, creates, answer: kbItemSchema, announces: 'kbitem.create' }),
  route('PATCH /kbitems/:id', 'agent', 'Change a knowledge item', kbItems.update, { body: kbItemPatch, answer: kbItemSchema, announces: 'kbitem.update' }),
  route('DELETE /kbitems/:id', 'bot', 'Delete a knowledge item', kbItems.remove, { announces: 'kbitem.delete' }),

  route('GET /forms', 'bot', 'List forms', forms.list, { answer: listOf(formSchema) }),
  route('GET /forms/:id', 'admin', 'Fetch a form', forms.get, { answer: formSchema }),
  route('POST /forms', 'bot', 'Create a form', forms.create, { body: formInput, creates, answer: formSchema, announces: 'form.create' }),
  route('PATCH /forms/:id', 'bot', 'Change a form', forms.update, { body: formPatch, answer: formSchema, announces: 'form.update' }),
  route('DELETE /forms/:id', 'admin', 'Delete a form', forms.remove, { announces: 'form.delete' }),

  route('GET /channels', 'bot', 'List channels', channels.list, { answer: listOf(channelSchema) }),
  route('GET /channels/:id', 'bot', 'Fetch a channel', channels.get, { answer: channelSchema }),
  route('POST /channels', 'admin', 'Create a channel', channels.create, { body: channelInput, creates, answer: channelSchema, announces: 'channel.create' }),
  route('PATCH /channels/:id', 'admin', 'Change a channel', channels.update, { body: channelPatch, answer: channelSchema, announces: 'channel.update' }),
  route('PUT /channels/:id/online', 'agent', 'Say whether the caller is online in a channel', putOnline, { body: onlineInput, answer: channelSchema, announces: 'channel.update' }),
  route('DELETE /channels/:id', 'admin', 'Delete a channel', channels.remove, { announces: 'channel.delete' }),

  route('GET /services', 'admin', 'List services', listServices, { answer: listOf(serviceSchema), secret }),
  route('GET /services/:id', 'admin', 'Fetch a service', getService, { answer: serviceSchema, secret }),
  route('POST /services', 'admin', 'Register a webhook', createService, { body: serviceInput, creates, answer: serviceSchema, announces: 'service.create', secret }),
  route('PATCH /services/:id', 'admin', 'Change a service', updateService, { body: servicePatch, answer: serviceSchema, announces: 'service.update', secret }),
  route('DELETE /services/:id', 'admin', 'Delete a service', removeService, { announces: 'service.delete' }),
  route('POST /services/:id/verify', 'admin', 'Verify a webhook again', verifyService, { answer: serviceSchema, announces: 'service.update', secret }),
  route('POST /services/:id/test', 'admin', 'Send a sample to a webhook', testService, { answer: testSchema }),
  route('POST /services/:id/replay', 'admin', 'Send events to a webhook again', replayService, { body: replayInput, answer: replaySchema }),

  route('GET /deliveries', 'admin', 'List deliveries', listDeliveries, { answer: listOf(listedDeliverySchema) }),
  route('GET /deliveries/:id', 'admin', 'Fetch a delivery with its attempts', getDelivery, { answer: deliverySchema, secret }),
  route('POST /deliveries/:id/retry', 'admin', 'Send a delivery again', retryDelivery, { answer: deliverySchema, secret }),

  route('GET /eventtypes', 'admin', 'List event types', eventTypes.list, { answer: listOf(eventTypeSchema) }),
  route('GET /eventtypes/:id', 'admin', 'Fetch an event type', eventTypes.get, { answer: eventTypeSchema }),
  route('POST /eventtypes', 'admin', 'Create an event type', eventTypes.create, { body: eventTypeInput, creates, answer: eventTypeSchema, announces: 'eventtype.create' }),
  route('PATCH /eventtypes/:id', 'admin', 'Change an event type', eventTypes.update, { body: eventTypePatch, answer: eventTypeSchema, announces: 'eventtype.update' }),
  route('DELETE /eventtypes/:id', 'admin', 'Delete an event type', eventTypes.remove, { announces: 'eventtype.delete' }),
  route('PUT /eventtypes/:id/jsonata', 'admin', "Set an event type's expression", putExpression, { body: expressionInput, bodyType: 'text/plain', answer: eventTypeSchema, announces: 'eventtype.update' }),
  route('POST /eventtypes/:id/preview', 'admin', 'Show what an event would post', previewEvent, { body: eventInput, answer: previewSchema }),

  route('GET /events', 'bot', 'List business events', listEvents, { answer: listOf(eventSchema) }),
  route('GET /events/:id', 'bot', 'Fetch a business event', getEvent, { answer: eventSchema }),
  route('POST /events/:name', 'bot', 'Send a business event', createEvent, { body: eventInput, creates, statuses: [200], answer: eventOutcomeSchema }),
  route('POST /events/:id/retry', 'bot', 'Run a business event again', retryEvent, { answer: eventOutcomeSchema }),
];
