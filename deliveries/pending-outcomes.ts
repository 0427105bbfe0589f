import { storeNow } from '../store/cluster/clock.ts';
import { findReceiver } from '../store/delivery/service-health.ts';
import { findPendingOutcomes, noteOutcomeApplied } from '../store/delivery/pending-outcomes.ts';
import type { PendingOutcome } from '../store/delivery/pending-outcomes.ts';
import type { ServiceHealth } from './service-health.ts';

/**
 * A worker applies an attempt's outcome right after logging it. If that has not happened after this
 * time, it crashed or the store did not answer it.
 */
const LEFT_AFTER_MS = 10_000;
const MAX_AT_ONCE = 100;

export interface PendingOutcomesDeps {
  health: Pick<ServiceHealth, 'applyOutcome'>;
  mayGoOn: (shard: number) => boolean;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Draws the conclusions of a shard's attempts whose sender logged them and came no further, so that
 * `service.error` is told (spec 7).
 */
export async function applyPendingOutcomes(deps: PendingOutcomesDeps, shard: number): Promise<void> {
  if (!deps.mayGoOn(shard)) return;
  for (const left of await findPendingOutcomes(shard, new Date(storeNow() - LEFT_AFTER_MS), MAX_AT_ONCE)) {
    await applyPendingOutcome(deps, left).catch((error: unknown) =>
      deps.log.warn({ err: error, delivery: left._id }, 'cannot draw the conclusions of an attempt'),
    );
  }
}

async function applyPendingOutcome({ health }: PendingOutcomesDeps, delivery: PendingOutcome): Promise<void> {
  const { attempts, unjudged } = delivery;
  const found = attempts.find(({ at }) => at.getTime() === unjudged.attemptAt.getTime());
  const service = found && (await findReceiver(delivery.service));
  if (!service) {
    await noteOutcomeApplied(delivery._id, unjudged);
    return;
  }
  const attempt = { ...found, at: found.at.toISOString() };
  // Only of attempts after which there was none, and of such as put their service out of use, is
  // anything left to be judged.
  await health.applyOutcome({ service, delivery, attempted: { attempt, next: null }, unjudged });
}
