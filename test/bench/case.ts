/** One measurement: calls `work(n)` for n = 0, 1, 2 … with `inFlight` concurrent calls. */
export interface Case {
  name: string;
  inFlight: number;
  work: (n: number) => Promise<unknown>;
  /** CPU milliseconds used so far by all processes that do the work; null: unknown. */
  cpuMs?: () => Promise<number | null>;
  /** Name of the case to compare with, round by round. */
  floor?: string;
  /**
   * Goals for the ratios to the `floor` case: `rate` is a minimum, `p50` and `cpu` are maxima.
   * `spread` is the maximum ratio of the p99 to the median within this case.
   */
  goal?: { rate?: number; p50?: number; cpu?: number; spread?: number };
  /** Called after each round. Returns further figures of the round, each with an optional goal. */
  after?: () => Promise<Extra[]>;
}

/** A figure of a round besides its rate and times. */
export interface Extra {
  name: string;
  value: number;
  atMost?: number;
}
