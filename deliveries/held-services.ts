import { isGivenUp } from '../domain/delivery/service-health.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { holdLane } from '../store/delivery/queue.ts';
import { markForRelease, noteHeldBack } from '../store/delivery/held-services.ts';
import { findReceiver } from '../store/delivery/service-health.ts';
import type { ActiveLane } from './active-lane.ts';

/**
 * Holds all back that is pending in a lane whose service is not to be sent to now: it is being
 * verified, was refused, or an admin has disabled it. Where it has become active meanwhile the lane
 * has another turn.
 *
 * That something may be held back is noted before it is, and again where the service turned active
 * in between: whoever held it back may die at any moment.
 */
export async function holdBack(lane: ActiveLane): Promise<void> {
  const service = await findReceiver(lane.service);
  if (service?.status === 'active') {
    lane.again = true;
    return;
  }
  // What is given up is skipped, not held back.
  if (!service || isGivenUp(service)) return;
  if (service.heldBack === undefined) await noteHeldBack(lane.service);
  await holdLane(lane.id, storeDate());
  await markForRelease([lane.service]);
}
