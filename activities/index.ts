import { createConversationActivities } from './conversation.ts';
import type { ConversationDeps } from './conversation.ts';
import { createDrainDeliveries } from './drain-deliveries.ts';
import type { DrainDeps } from './drain-deliveries.ts';

/** Everything that activities need from their process. */
export type ActivityDeps = ConversationDeps & DrainDeps;

/** All activities of this worker, by the names that workflows call them by. */
export function createActivities(deps: ActivityDeps) {
  return { ...createConversationActivities(deps), ...createDrainDeliveries(deps) };
}

export type Activities = ReturnType<typeof createActivities>;
