/** How records of a resource are called, found and shown. */
export interface Resource<T> {
  /** As in `/users`. */
  path: string;
  /** As in "The user". */
  what: string;
  present: (record: T) => unknown;
}
