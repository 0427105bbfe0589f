import type { Change } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { intermediateStates } from '../domain/conversations/evolve.ts';
import { eventNames } from '../domain/events/event-name.ts';
import { narrowedSubscriptions } from '../domain/events/subscriptions.ts';
import type { Subscription } from '../domain/events/subscriptions.ts';
import { findOrganizationSubscribers } from '../store/delivery/services.ts';

/** Returns the services that may receive an event of these changes, with their patterns. */
export async function selectSubscribers(base: ConversationState, changes: Change[]): Promise<Subscription[]> {
  const services = await findOrganizationSubscribers(base.organization);
  if (services.every(({ events = [] }) => events.length === 0)) return services;
  const states = intermediateStates(base, changes);
  const events = changes.flatMap((change, at) => eventNames(change, states[at] ?? base));
  return narrowedSubscriptions(services, events);
}
