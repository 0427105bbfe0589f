import type { EventName } from './event-name.ts';
import type { Audience } from './subscriptions.ts';
import type { UserRole } from '../scope.ts';

/** Actor of an event. `contact`: the contact, who has no user; `service`: a webhook that failed. */
export interface EventActor {
  id: string;
  kind: 'user' | 'bot' | 'contact' | 'service';
}

/** Resources of an event by name, with the links of its conversation (spec 5.11), if any. */
export interface EventData extends Record<string, unknown> {
  links?: Record<string, string>;
}

/** One event, ready for delivery. */
export interface EventRecord extends EventName {
  /** Stable over retries, replays and services. */
  id: string;
  /** Time of the event, ISO 8601 UTC. */
  timestamp: string;
  organization: string;
  conversation?: string;
  /** Position in the conversation's events, or in the organization's if it has no conversation. */
  sequence: number;
  actor: EventActor;
  audience?: Audience;
  /** Traceparent of the cause, if it is traced. */
  trace?: string;
  /** Base of the URLs in the event. */
  publicUrl: string;
  /** Builds the snapshots. Called only if a service receives the event. */
  data: () => EventData;
}

/** Returns the actor for events that a user causes. */
export function toEventActor({ user, role }: { user: string; role: UserRole }): EventActor {
  return { id: user, kind: role === 'bot' ? 'bot' : 'user' };
}
