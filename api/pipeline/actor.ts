import type { EventActor } from '../../domain/events/event-record.ts';
import type { Principal } from '../../auth/principal.ts';

/** Who a caller is in an event. */
export function actorOf({ user, role }: Pick<Principal, 'user' | 'role'>): EventActor {
  return { id: user, kind: role === 'bot' ? 'bot' : 'user' };
}
