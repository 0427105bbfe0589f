import type { EventName } from './event-name.ts';
import type { Audience } from './subscriptions.ts';
import type { UserRole } from '../scope.ts';

/** `service`: a webhook that failed. */
export interface EventActor {
  id: string;
  kind: 'user' | 'bot' | 'contact' | 'service';
}

/** Resources by name, and links (spec 5.11). */
export interface EventData extends Record<string, unknown> {
  links?: Record<string, string>;
}

export interface EventRecord extends EventName {
  /** Stable over retries, replays and services. */
  id: string;
  timestamp: string;
  organization: string;
  conversation?: string | undefined;
  /** Position among the events of the conversation, else of the organization. */
  sequence: number;
  /** Orders the deliveries, instead of the conversation. */
  lane?: string | undefined;
  actor: EventActor;
  audience?: Audience | undefined;
  trace?: string | undefined;
  /** An example, which `POST /services/{id}/test` sends (spec 7.11). */
  test?: true;
  publicUrl: string;
  /** Called only if a service receives the event. */
  data: () => EventData;
}

export function toEventActor({ user, role }: { user: string; role: UserRole }): EventActor {
  return { id: user, kind: role === 'bot' ? 'bot' : 'user' };
}
