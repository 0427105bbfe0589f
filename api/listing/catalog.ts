import type { TSchema } from 'typebox';
import type { Paths } from '../../domain/query/paths.ts';
import type { Scope } from '../../domain/scope.ts';
import { presentMessage } from '../../presenters/message.ts';
import { channelRecords } from '../../store/records/channels.ts';
import { findContactsByIds } from '../../store/conversations/contacts.ts';
import { eventRecords } from '../../store/records/business-events.ts';
import { eventTypeRecords } from '../../store/records/eventtypes.ts';
import { findConversations } from '../../store/conversations/find-conversations.ts';
import { findMessagesByIds } from '../../store/conversations/find-messages.ts';
import { findOrganizationsByIds } from '../../store/records/find-organizations.ts';
import { formRecords } from '../../store/records/forms.ts';
import { kbItemRecords } from '../../store/records/kbitems.ts';
import { orgGroupRecords } from '../../store/records/orggroups.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { findServicesByIds } from '../../store/delivery/services.ts';
import type { TenantDocument, TenantRecords } from '../../store/records/tenant-records.ts';
import { findUsers } from '../../store/accounts/users.ts';
import { channelResource } from '../resources/channels/present.ts';
import { formResource } from '../resources/forms/present.ts';
import { orgGroupResource } from '../resources/orggroups/present.ts';
import { kbItemResource } from '../resources/kbitems/present.ts';
import { eventTypeResource } from '../resources/eventtypes/present.ts';
import type { Resource } from '../records/resource.ts';
import { channelSchema } from '../resources/channels/schema.ts';
import { contacts } from '../resources/contacts/present.ts';
import { contactSchema } from '../resources/contacts/schema.ts';
import { presentConversations } from '../resources/conversations/present.ts';
import { conversationSchema } from '../resources/conversations/schema.ts';
import { deliverySchema } from '../resources/deliveries/schema.ts';
import { events } from '../resources/business-events/present.ts';
import { eventSchema } from '../resources/business-events/schema.ts';
import { eventTypeSchema } from '../resources/eventtypes/schema.ts';
import { formSchema } from '../resources/forms/schema.ts';
import { kbItemSchema } from '../resources/kbitems/schema.ts';
import { messageSchema } from '../resources/messages/schema.ts';
import { organizations } from '../resources/organizations/present.ts';
import { organizationSchema } from '../resources/organizations/schema.ts';
import { orgGroupSchema } from '../resources/orggroups/schema.ts';
import { services } from '../resources/services/present.ts';
import { serviceSchema } from '../resources/services/schema.ts';
import { users } from '../resources/users/present.ts';
import { userSchema } from '../resources/users/schema.ts';
import { fieldsOf } from './paths.ts';

export type Body = Record<string, unknown>;

/** What is needed to show records of a resource in the place of their ids. */
export interface Showing {
  reach: Reach;
  ids: string[];
  publicUrl: string;
  /** Whether anybody wants to see a field that is dear to make. */
  wants: (field: string) => boolean;
}

/** One resource as queries see it: a row of the table below. */
export interface Referable {
  /** The lowest scope that may read its records (spec 4.2). */
  scope: Scope;
  /** What lower scopes may read of them (spec 9.6). */
  brief?: { scope: Scope; fields: readonly string[] };
  /** Its records show a secret. */
  secret?: boolean;
  /** Its fields, and those that are derived when a record is shown. */
  fields: Paths;
  /** Derived fields that are shown whatever is selected (spec 9.5). */
  derived: readonly string[];
  /** Its fields that hold ids, and the resource that each names. */
  references: Readonly<Record<string, string>>;
  /** Those of the records that are within reach, in any order. */
  show: (showing: Showing) => Promise<Body[]>;
}

interface PlainRow<T> {
  scope: Scope;
  schema: TSchema;
  references?: Record<string, string>;
  resource: Resource<T>;
}

/** The row of a resource whose records are stored as they are shown, or nearly so. */
function plain<T extends TenantDocument>(
  records: TenantRecords<T>,
  { scope, schema, references = {}, resource }: PlainRow<T>,
): Referable {
  return {
    scope,
    fields: fieldsOf(schema),
    derived: [],
    references: { ...BY, ...references },
    show: async ({ reach, ids }) => (await records.findMany(reach, ids)).map(resource.present) as Body[],
  };
}

const BY = { organization: 'organizations', createdBy: 'users' };

/**
 * Every resource whose fields can be selected and whose records can stand in the place of their
 * ids: one row each.
 */
// prettier-ignore
const CATALOG: ReadonlyMap<string, Referable> = new Map<string, Referable>([
  ['organizations', {
    scope: 'bot', fields: fieldsOf(organizationSchema), derived: [],
    references: { parent: 'organizations', 'categories.forms': 'forms', createdBy: 'users' },
    show: async ({ reach, ids }) => (await findOrganizationsByIds(reach, ids)).map(organizations.present) as Body[],
  }],
  ['users', {
    scope: 'bot', brief: { scope: 'agent', fields: ['id', 'name', 'avatar', 'status'] },
    fields: fieldsOf(userSchema), derived: ['name'], references: BY,
    show: async ({ reach, ids }) => (await findUsers(reach, ids)).map(users.present) as Body[],
  }],
  ['contacts', {
    scope: 'agent', fields: fieldsOf(contactSchema), derived: [], references: { ...BY, conversation: 'conversations' },
    show: async ({ reach, ids }) => (await findContactsByIds(reach, ids)).map(contacts.present) as Body[],
  }],
  ['conversations', {
    scope: 'guest', fields: fieldsOf(conversationSchema), derived: [],
    references: {
      ...BY, contact: 'contacts', messages: 'messages', channels: 'channels', channelsOffline: 'channels',
      'participants.user': 'users', 'participants.organization': 'organizations',
      'forms.form': 'forms', 'results.form': 'forms', 'results.message': 'messages',
    },
    show: async ({ reach, ids, publicUrl, wants }) =>
      presentConversations(await findConversations(reach, ids), { publicUrl, withMessages: wants('messages') }) as Promise<unknown[]> as Promise<Body[]>,
  }],
  ['messages', {
    scope: 'bot', fields: fieldsOf(messageSchema), derived: [],
    references: { ...BY, contact: 'contacts', conversation: 'conversations', user: 'users', service: 'services', 'results.form': 'forms' },
    show: async ({ reach, ids, publicUrl }) =>
      (await findMessagesByIds(reach, ids)).map((message) => presentMessage(message, publicUrl)) as unknown[] as Body[],
  }],
  ['services', {
    scope: 'admin', secret: true, fields: fieldsOf(serviceSchema), derived: [], references: { ...BY, user: 'users' },
    show: async ({ reach, ids }) => (await findServicesByIds(reach, ids)).map(services.present) as Body[],
  }],
  ['deliveries', {
    // Nothing refers to a delivery.
    scope: 'admin', fields: fieldsOf(deliverySchema), derived: [], show: () => Promise.resolve([]),
    references: { organization: 'organizations', service: 'services', conversation: 'conversations' },
  }],
  ['forms', plain(formRecords, { scope: 'bot', schema: formSchema, resource: formResource })],
  ['channels', plain(channelRecords, { scope: 'bot', schema: channelSchema, references: { 'members.user': 'users' }, resource: channelResource })],
  ['orggroups', plain(orgGroupRecords, { scope: 'bot', schema: orgGroupSchema, references: { organizations: 'organizations' }, resource: orgGroupResource })],
  ['kbitems', plain(kbItemRecords, { scope: 'agent', schema: kbItemSchema, resource: kbItemResource })],
  ['eventtypes', plain(eventTypeRecords, { scope: 'admin', schema: eventTypeSchema, resource: eventTypeResource })],
  ['events', {
    scope: 'bot', fields: fieldsOf(eventSchema), derived: [],
    references: { ...BY, eventtype: 'eventtypes', conversations: 'conversations', messages: 'messages' },
    show: async ({ reach, ids }) => (await eventRecords.findMany(reach, ids)).map(events.present) as Body[],
  }],
]);

/** The row of a resource, if it has one. */
export function referable(name: string): Referable | undefined {
  return CATALOG.get(name);
}
