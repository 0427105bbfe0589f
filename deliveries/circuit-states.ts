import { computeShard } from '../domain/delivery/delivery.ts';
import { ttlCache } from '../store/queries/ttl-cache.ts';
import { findCircuits } from '../store/delivery/service-health.ts';
import type { Admission } from './admission.ts';

/** The shards of a process are taken at about the same time. */
const MAX_AGE_MS = 1_000;

export interface CircuitStatesDeps {
  deliveryShards: number;
  admission: Pick<Admission, 'learn'>;
  log: { warn: (facts: object, message: string) => void };
}

/** What those who sent for a shard before knew of its services: it does not die with them. */
export interface CircuitStates {
  /**
   * Learns it of the services of a shard. Where the store does not answer, nothing is known of
   * them.
   */
  recall(shard: number): Promise<void>;
}

export function createCircuitStates({ deliveryShards, admission, log }: CircuitStatesDeps): CircuitStates {
  const stored = ttlCache({
    maxAgeMs: MAX_AGE_MS,
    max: 1,
    load: async () =>
      (await findCircuits()).map(({ _id, failingSince }) => ({
        service: _id,
        shard: computeShard(_id, deliveryShards),
        standing: failingSince ? ('failing' as const) : ('answering' as const),
      })),
  });
  return {
    async recall(shard) {
      try {
        for (const known of await stored.get('all')) {
          if (known.shard === shard) admission.learn(known.service, known.standing);
        }
      } catch (error) {
        log.warn({ err: error }, 'cannot recall how services stand');
      }
    },
  };
}
