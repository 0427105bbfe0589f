/** Lanes at work at once in this process. */
const MAX = 512;
const MAX_PER_SERVICE = { answering: 8, unknown: 2, failing: 1 };
/** Lanes that may wait in memory for one; the rest waits in the store. */
const MAX_WAITING_PER_SERVICE = { answering: 128, unknown: 8, failing: 1 };
/**
 * Of services that failed when last tried, or that nobody knows yet, all together: however many of
 * them hang, the others find a place at once.
 */
const MAX_DOUBTFUL = MAX / 2;

/** What is known of how a service takes its deliveries. */
export type CircuitState = keyof typeof MAX_PER_SERVICE;

/** What running a lane showed of its service; null: nothing. */
export type AttemptResult = { answers: boolean } | null;

/** Who wants a place: a lane of a service, and the tenant whom that belongs to. */
export interface LaneClaim {
  service: string;
  tenant: string;
}

/**
 * The places at which lanes are worked on, so that neither a service nor a tenant takes the room of
 * others.
 */
export interface ConcurrencyLimits {
  /**
   * A place for one lane of a service, or null. To be given back, with what was seen, by calling
   * the answer; that tells whether the service answers, and did not or was not known before.
   */
  take(claim: LaneClaim): ((shown: AttemptResult) => boolean) | null;
  standing: (service: string) => CircuitState;
  /** Tells how a service stood when others sent to it, unless that is known better already. */
  learn: (service: string, standing: CircuitState) => void;
  /**
   * Makes a service one that nobody knows yet: what places that are taken now will show of it does
   * not count.
   */
  forget: (service: string) => void;
  /** Whether a lane of the service has a place. */
  has: (service: string) => boolean;
  /** How many lanes of a service may wait for a place in memory. */
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
 * So many places for all tenants, of which none takes more than it leaves free: one alone has half
 * of them, n have the (n + 1)th part each, and whoever comes next finds as much.
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
