import type { UserRole } from '../scope.ts';
import type { EventActor } from './event-record.ts';

/** Who a user is in the events that they cause. */
export function toEventActor({ user, role }: { user: string; role: UserRole }): EventActor {
  return { id: user, kind: role === 'bot' ? 'bot' : 'user' };
}
