/** One filter and what it has to find. */
export interface Case {
  promise: string;
  docs: object[];
  filter: object;
  /** The positions in `docs` of those that match. */
  found: number[];
}
