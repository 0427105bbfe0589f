/** One thing to measure: `work(n)` for n = 0, 1, 2 …, with so many calls under way. */
export interface Case {
  name: string;
  inFlight: number;
  work: (n: number) => Promise<unknown>;
  /** CPU milliseconds that all processes have used so far that do the work; null: not known. */
  cpuMs?: () => Promise<number | null>;
  /** The case that it is compared with, round by round. */
  floor?: string;
  /**
   * What the ratio to the floor is to be: the rate's at least, the others' at most. `spread` is of
   * the case alone: its 99th percentile over its median, at most.
   */
  goal?: { rate?: number; p50?: number; cpu?: number; spread?: number };
  /**
   * What else is known after a round: by name a figure, each with its own goal (at most) if there
   * is one.
   */
  after?: () => Promise<Extra[]>;
}

/** A figure of a round beside its rate and times. */
export interface Extra {
  name: string;
  value: number;
  atMost?: number;
}
