import type { EventName } from './event-name.ts';
import type { Audience } from './subscriptions.ts';
import type { UserRole } from '../scope.ts';

/**
 * Who caused an event. `contact`: the consumer, who is no user; `service`: a webhook, by failing.
 */
export interface EventActor {
  id: string;
  kind: 'user' | 'bot' | 'contact' | 'service';
}

/**
 * The resources of an event under their names, and the conversation's links (spec 5.11) where it
 * has one.
 */
export interface EventData extends Record<string, unknown> {
  links?: Record<string, string>;
}

/** One event, ready to be told to whoever hears it. */
export interface EventRecord extends EventName {
  /** The same over retries, replays and services. */
  id: string;
  /** When it happened, ISO 8601 UTC. */
  timestamp: string;
  organization: string;
  conversation?: string;
  /** Its place among the events of its conversation, or of its organization where it has none. */
  sequence: number;
  actor: EventActor;
  audience?: Audience;
  /** Where what caused it is in a trace (a traceparent), if that is traced. */
  trace?: string;
  /** Base of the addresses in it. */
  publicUrl: string;
  /** Builds the snapshots: called only when somebody hears the event. */
  data: () => EventData;
}

/** Who a user is in the events that they cause. */
export function toEventActor({ user, role }: { user: string; role: UserRole }): EventActor {
  return { id: user, kind: role === 'bot' ? 'bot' : 'user' };
}
