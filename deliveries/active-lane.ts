/** A lane that runs or waits for its turn. */
export interface ActiveLane {
  id: string;
  service: string;
  /** Whose it is. */
  tenant: string;
  shard: number;
  /** The deliveries that it has read from the store. */
  rows: ReadonlySet<string>;
  /** Where its attempts go. */
  url?: string;
  /** There is more than it has read. */
  again: boolean;
}
