import { createAllowances } from '../domain/limits/allowances.ts';
import { hasFairShare, TenantUsage } from '../domain/limits/fair-share.ts';
import { FairScheduler } from '../platform/concurrency/fair-scheduler.ts';
import { abortable } from '../platform/concurrency/with-timeout.ts';

const MAX = 512;
const MAX_PER_SERVICE = { answering: 8, unknown: 2, failing: 1 };
/** Maximum of waiting lanes in memory. Further lanes wait in the store. */
const MAX_WAITING_PER_SERVICE = { answering: 128, unknown: 8, failing: 1 };
/**
 * Slots for all `unknown` and `failing` services. Only `answering` services use the other slots.
 */
const MAX_DOUBTFUL = MAX / 2;

/** State of a service's circuit breaker, by its last attempt. */
export type CircuitState = keyof typeof MAX_PER_SERVICE;

/** Null: no result was observed. */
export type ObservedState = Exclude<CircuitState, 'unknown'> | null;

export type LanePath = readonly [tenant: string, service: string];

const ALL = 'all tenants';

/** Slots for attempts, with a circuit breaker for each service. */
export class ConcurrencyLimits {
  readonly #circuits = new Map<string, { state: CircuitState }>();
  readonly #services = new TenantUsage();
  readonly #all = { usage: new TenantUsage(), max: MAX };
  readonly #doubtful = { usage: new TenantUsage(), max: MAX_DOUBTFUL };

  hasRoomFor([tenant, service]: LanePath): boolean {
    const { state } = this.#circuit(service);
    if (this.#services.of(service) >= MAX_PER_SERVICE[state]) return false;
    const path = [ALL, tenant];
    return this.#shares(state).every(({ usage, max }) => hasFairShare(path, usage, max));
  }

  /**
   * Takes a slot. The returned function frees the slot, sets the observed state and returns whether
   * the state became `answering`.
   */
  take([tenant, service]: LanePath): (observed: ObservedState) => boolean {
    const circuit = this.#circuit(service);
    const shares = this.#shares(circuit.state);
    const count = (change: 1 | -1) => {
      this.#services.add([service], change);
      for (const { usage } of shares) usage.add([ALL, tenant], change);
    };
    count(1);
    return (observed) => {
      count(-1);
      if (!observed) return false;
      const before = circuit.state;
      circuit.state = observed;
      return observed === 'answering' && before !== 'answering';
    };
  }

  #circuit(service: string): { state: CircuitState } {
    const circuit = this.#circuits.get(service) ?? { state: 'unknown' };
    this.#circuits.set(service, circuit);
    return circuit;
  }

  #shares(state: CircuitState) {
    return state === 'answering' ? [this.#all] : [this.#all, this.#doubtful];
  }

  state(service: string): CircuitState {
    return this.#circuits.get(service)?.state ?? 'unknown';
  }

  /** Sets the state that the store has, unless this process already has a state. */
  learn(service: string, state: CircuitState): void {
    if (!this.#circuits.has(service)) this.#circuits.set(service, { state });
  }

  /** Resets the state to `unknown` and ignores the results of attempts in progress. */
  forget(service: string): void {
    this.#circuits.delete(service);
  }

  has(service: string): boolean {
    return this.#services.of(service) > 0;
  }

  maxWaiting(service: string): number {
    return MAX_WAITING_PER_SERVICE[this.state(service)];
  }
}

/** Milliseconds of the worker's thread. A tenant's answers use at most a tenth of it for long. */
const ALLOWANCE = { max: 1_000, backPerMs: 0.1 };
const MAX_TURNS_PER_TENANT = 8;
const MAX_TURNS_PER_SERVICE = 2;

/**
 * Turns of answers that take long to read, and of all attempts of a tenant whose answers have used
 * up its share. They bound the CPU time of each tenant's answers,
 * because the thread that reads answers also runs the activities of conversations.
 */
export class AnswerTurns {
  readonly #allowances = createAllowances(ALLOWANCE);
  readonly #turns = new FairScheduler({
    maxEach: MAX_TURNS_PER_SERVICE,
    mayStart: ([tenant = ''], running) => running.of(tenant) < MAX_TURNS_PER_TENANT,
  });
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isOverdrawn([tenant]: LanePath): boolean {
    return this.#allowances.waitMs([ALL, tenant], this.#now()) > 0;
  }

  /** The returned function ends the turn. */
  async begin(path: LanePath, signal: AbortSignal): Promise<() => void> {
    const entering = this.#turns.enter(path);
    try {
      const release = await abortable(entering, signal);
      const waitMs = this.#allowances.waitMs([ALL, path[0]], this.#now());
      if (waitMs > 0) await abortable(new Promise((resolve) => setTimeout(resolve, waitMs)), signal);
      return release;
    } catch (error) {
      void entering.then((release) => release());
      throw error;
    }
  }

  /** Every answer is charged. Long answers wait, and all attempts of an overdrawn tenant. */
  charge([tenant]: LanePath, costMs: number): void {
    this.#allowances.use([ALL, tenant], costMs, this.#now());
  }
}
