/** A filter and its expected result. */
export interface FilterCase {
  promise: string;
  docs: object[];
  filter: object;
  /** Positions in `docs` of the matching documents. */
  found: number[];
}
