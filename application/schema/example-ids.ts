import type { ResourceName } from '../../domain/resources.ts';

/**
 * The ids of the records that the examples of the API's description speak of: one of each resource.
 * The same id is the same record in every example.
 */
export const EXAMPLE_IDS = {
  organizations: '65f2a1c09b1d8e4f7a3c5d01',
  users: '65f2a1c09b1d8e4f7a3c5d02',
  contacts: '65f2a1c09b1d8e4f7a3c5d03',
  conversations: '65f2a1c09b1d8e4f7a3c5d04',
  messages: '65f2a1c09b1d8e4f7a3c5d05',
  forms: '65f2a1c09b1d8e4f7a3c5d06',
  channels: '65f2a1c09b1d8e4f7a3c5d07',
  services: '65f2a1c09b1d8e4f7a3c5d08',
  eventtypes: '65f2a1c09b1d8e4f7a3c5d09',
  kbitems: '65f2a1c09b1d8e4f7a3c5d0a',
  orggroups: '65f2a1c09b1d8e4f7a3c5d0b',
  events: '65f2a1c09b1d8e4f7a3c5d0c',
  deliveries: '65f2a1c09b1d8e4f7a3c5d05-1:65f2a1c09b1d8e4f7a3c5d08',
  apikeys: '65f2a1c09b1d8e4f7a3c5d0d',
  /** A user with role bot. */
  bots: '65f2a1c09b1d8e4f7a3c5d0e',
  /** A message that waits for its time. */
  waiting: '65f2a1c09b1d8e4f7a3c5d0f',
} as const satisfies Record<ResourceName | 'apikeys' | 'bots' | 'waiting', string>;
