const MAX = 512;
const MAX_PER_SERVICE = { answering: 8, unknown: 2, failing: 1 };
/** Lanes of one service that may wait in memory. The other lanes wait in the store. */
const MAX_WAITING_PER_SERVICE = { answering: 128, unknown: 8, failing: 1 };
/**
 * Shared limit of all services in state `unknown` or `failing`: hanging services cannot take the
 * slots of working services.
 */
const MAX_DOUBTFUL = MAX / 2;

export type CircuitState = keyof typeof MAX_PER_SERVICE;

/** The service state that a run of a lane observed; null: no attempt was made. */
export type AttemptResult = { answers: boolean } | null;

export interface LaneClaim {
  service: string;
  tenant: string;
}

export interface ConcurrencyLimits {
  /**
   * Takes a slot, or returns null. Call the returned function with the result to free the slot. It
   * returns true if the service's state became `answering`.
   */
  take(claim: LaneClaim): ((shown: AttemptResult) => boolean) | null;
  standing: (service: string) => CircuitState;
  /** Sets a state that another process stored, unless this process has its own. */
  learn: (service: string, standing: CircuitState) => void;
  /** Resets the state to `unknown` and ignores the results of slots that are taken now. */
  forget: (service: string) => void;
  has: (service: string) => boolean;
  maxWaiting(service: string): number;
}

export function createConcurrencyLimits(): ConcurrencyLimits {
  const standings = new Map<string, { standing: CircuitState }>();
  const perService = createCount();
  const all = createShares(MAX);
  const doubtful = createShares(MAX_DOUBTFUL);

  function getRecord(service: string): { standing: CircuitState } {
    const record = standings.get(service) ?? { standing: 'unknown' };
    standings.set(service, record);
    return record;
  }

  const standing = (service: string): CircuitState => standings.get(service)?.standing ?? 'unknown';

  return {
    take({ service, tenant }) {
      const record = getRecord(service);
      const shares = record.standing === 'answering' ? [all] : [all, doubtful];
      if (perService.of(service) >= MAX_PER_SERVICE[record.standing]) return null;
      if (!shares.every((share) => share.hasRoomFor(tenant))) return null;
      perService.add(service, 1);
      for (const share of shares) share.add(tenant, 1);
      return (shown) => {
        perService.add(service, -1);
        for (const share of shares) share.add(tenant, -1);
        if (!shown) return false;
        const before = record.standing;
        record.standing = shown.answers ? 'answering' : 'failing';
        return shown.answers && before !== 'answering';
      };
    },
    standing,
    learn(service, known) {
      if (!standings.has(service)) standings.set(service, { standing: known });
    },
    forget: (service) => void standings.delete(service),
    has: (service) => perService.of(service) > 0,
    maxWaiting: (service) => MAX_WAITING_PER_SERVICE[standing(service)],
  };
}

/**
 * Slots that tenants share. A tenant may take no more slots than remain free: one tenant gets half
 * of them, n tenants get 1/(n + 1) each, and the next tenant finds as many.
 */
function createShares(max: number) {
  const counts = createCount();
  let taken = 0;
  return {
    hasRoomFor: (tenant: string) => counts.of(tenant) < max - taken,
    add(tenant: string, change: 1 | -1) {
      counts.add(tenant, change);
      taken += change;
    },
  };
}

function createCount() {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add(key: string, change: 1 | -1) {
      const count = of(key) + change;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
