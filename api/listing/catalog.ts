import type { TObject } from 'typebox';
import type { Paths } from '../../domain/query/paths.ts';
import { resourceRow } from '../../domain/resources.ts';
import type { ResourceName } from '../../domain/resources.ts';
import { lowerScope } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { presentMessage } from '../../application/presenters/presenters.ts';
import { findConversations } from '../../store/conversations/find-conversations.ts';
import { findMessagesByIds } from '../../store/conversations/find-messages.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { RecordSource } from '../records/resource.ts';
import { events } from '../resources/business-events/schema.ts';
import { channels } from '../resources/channels/channels.ts';
import { contacts } from '../resources/contacts/schema.ts';
import { presentConversations } from '../resources/conversations/present.ts';
import { conversationSchema } from '../resources/conversations/schema.ts';
import { deliverySchema } from '../resources/deliveries/schema.ts';
import { eventTypes } from '../resources/eventtypes/eventtypes.ts';
import { forms } from '../resources/forms/forms.ts';
import { kbItems } from '../resources/kbitems/kbitems.ts';
import { messageSchema } from '../resources/messages/schema.ts';
import { organizations } from '../resources/organizations/schema.ts';
import { orgGroups } from '../resources/orggroups/orggroups.ts';
import { services } from '../resources/services/schema.ts';
import { users } from '../resources/users/schema.ts';
import { collectFields } from './paths.ts';

export type Body = Record<string, unknown>;

export interface PopulateRequest {
  reach: Reach;
  ids: string[];
  publicUrl: string;
  /** Costly fields are computed only if wanted. */
  wants: (field: string) => boolean;
}

export interface PopulatableResource {
  /** See spec 4.2. */
  scope: Scope;
  /** See spec 9.6. */
  brief?: { scope: Scope; fields: readonly string[] } | undefined;
  secret: boolean;
  fields: Paths;
  /** Always shown (spec 9.5). */
  derived: readonly string[];
  references: Readonly<Record<string, ResourceName>>;
  /** In any order. */
  show: (showing: PopulateRequest) => Promise<Body[]>;
}

interface CatalogEntry extends Pick<PopulatableResource, 'show'> {
  schema: TObject;
  derived?: readonly string[];
}

function fromRecordSource<T>({ schema, findMany, present }: RecordSource<T>): CatalogEntry {
  return { schema, show: async ({ reach, ids }) => (await findMany(reach, ids)).map(present) as Body[] };
}

const ENTRIES: Readonly<Record<ResourceName, CatalogEntry>> = {
  organizations: fromRecordSource(organizations),
  users: { ...fromRecordSource(users), derived: ['name'] },
  contacts: fromRecordSource(contacts),
  conversations: {
    schema: conversationSchema,
    show: async ({ reach, ids, publicUrl, wants }) => {
      const documents = await findConversations(reach, ids);
      const shown = await presentConversations(documents, {
        ...{ reach, publicUrl },
        withMessages: wants('messages'),
      });
      return shown as unknown[] as Body[];
    },
  },
  messages: {
    schema: messageSchema,
    show: async ({ reach, ids, publicUrl }) => {
      const documents = await findMessagesByIds(reach, ids);
      return documents.map((message) => presentMessage(message, publicUrl)) as unknown[] as Body[];
    },
  },
  services: fromRecordSource(services),
  // No field refers to a delivery.
  deliveries: { schema: deliverySchema, show: () => Promise.resolve([]) },
  forms: fromRecordSource(forms),
  channels: fromRecordSource(channels),
  orggroups: fromRecordSource(orgGroups),
  kbitems: fromRecordSource(kbItems),
  eventtypes: fromRecordSource(eventTypes),
  events: fromRecordSource(events),
};

function buildPopulatableResource(name: ResourceName): PopulatableResource {
  const { scopes, brief, secret = false, references } = resourceRow(name);
  const { schema, show, derived = [] } = ENTRIES[name];
  return {
    scope: lowerScope(scopes.list, scopes.fetch),
    brief,
    secret,
    fields: collectFields(schema),
    derived,
    references: Object.fromEntries(Object.entries(references).map(([field, { to }]) => [field, to])),
    show,
  };
}

const CATALOG = Object.fromEntries(
  Object.keys(ENTRIES).map((name) => [name, buildPopulatableResource(name as ResourceName)]),
) as Readonly<Record<ResourceName, PopulatableResource>>;

export function getResourceSchema(name: ResourceName): TObject {
  return ENTRIES[name].schema;
}

export function getPopulatableResource(name: ResourceName): PopulatableResource {
  return CATALOG[name];
}
