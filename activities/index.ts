import type { Authority } from '../application/auth/authority.ts';
import type { EventDeps } from '../application/business-events/run-event.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import { withHeartbeats } from './with-heartbeats.ts';
import { createConversationActivities } from './conversation.ts';
import type { ConversationDeps } from './conversation.ts';
import { createDrainDeliveries } from './drain-deliveries.ts';
import type { DrainDeps } from './drain-deliveries.ts';
import { createEraseConversation } from './erase-conversation.ts';
import type { EraseDeps } from './erase-conversation.ts';
import { createInboundEventActivities } from './business-event.ts';
import { createRetryEventsActivity } from './retry-events.ts';

/** Everything that activities need from their process. */
export interface ActivityDeps extends ConversationDeps, DrainDeps, EraseDeps, EventDeps {
  /** Says whom a token speaks for. */
  authority: Authority;
  /** Posts messages with every check that a request has to pass. */
  posting: PostingDeps;
}

/** All activities of this worker, by the names that workflows call them by. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createConversationActivities(deps),
    ...createDrainDeliveries(deps),
    ...withHeartbeats(createEraseConversation(deps)),
    ...withHeartbeats(createInboundEventActivities(deps)),
    ...withHeartbeats(createRetryEventsActivity(deps)),
  };
}

export type Activities = ReturnType<typeof createActivities>;
