/** One filter and what it has to find. */
export interface FilterCase {
  promise: string;
  docs: object[];
  filter: object;
  /** The positions in `docs` of those that match. */
  found: number[];
}
