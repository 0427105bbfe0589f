/** Lanes at work at once in this process. */
const MOST = 512;
const MOST_PER_SERVICE = { answering: 8, unknown: 2, failing: 1 };
/** Lanes that may wait in memory for one; the rest waits in the store. */
const MOST_WAITING_PER_SERVICE = { answering: 128, unknown: 8, failing: 1 };
/** All that failed when last tried, together: however many services hang, the others find a place at once. */
const MOST_FAILING = MOST / 2;

type Standing = keyof typeof MOST_PER_SERVICE;

/** What running a lane showed of its service; null: nothing. */
export type Shown = { answers: boolean } | null;

/** The places at which lanes are worked on, so that no service takes the room of others. */
export interface Places {
  /**
   * A place for one lane of a service, or null. To be given back, with what was seen, by calling the answer; that tells whether the
   * service answers, and did not or was not known before.
   */
  take(service: string): ((shown: Shown) => boolean) | null;
  /** Whether the service answered when last tried. */
  answers: (service: string) => boolean;
  /** Whether it failed then. */
  fails: (service: string) => boolean;
  /** Makes a service one that nobody knows yet: what places that are taken now will show of it does not count. */
  forget(service: string): void;
  /** Whether a lane of the service has a place. */
  has: (service: string) => boolean;
  /** How many lanes of a service may wait for a place in memory. */
  mayWait(service: string): number;
}

export function createPlaces(): Places {
  const standings = new Map<string, { standing: Standing }>();
  const perService = new Map<string, number>();
  let all = 0;
  let failing = 0;

  const standingOf = (service: string): Standing => standings.get(service)?.standing ?? 'unknown';

  function recordOf(service: string): { standing: Standing } {
    const record = standings.get(service) ?? { standing: 'unknown' };
    standings.set(service, record);
    return record;
  }

  function count(service: string, change: 1 | -1, asFailing: boolean): void {
    const left = (perService.get(service) ?? 0) + change;
    if (left > 0) perService.set(service, left);
    else perService.delete(service);
    all += change;
    if (asFailing) failing += change;
  }

  return {
    take(service) {
      const record = recordOf(service);
      const { standing } = record;
      const asFailing = standing === 'failing';
      if (all >= MOST || (asFailing && failing >= MOST_FAILING)) return null;
      if ((perService.get(service) ?? 0) >= MOST_PER_SERVICE[standing]) return null;
      count(service, 1, asFailing);
      return (shown) => {
        count(service, -1, asFailing);
        if (!shown) return false;
        const before = record.standing;
        record.standing = shown.answers ? 'answering' : 'failing';
        return shown.answers && before !== 'answering';
      };
    },
    has: (service) => perService.has(service),
    answers: (service) => standingOf(service) === 'answering',
    fails: (service) => standingOf(service) === 'failing',
    forget: (service) => void standings.delete(service),
    mayWait: (service) => MOST_WAITING_PER_SERVICE[standingOf(service)],
  };
}
