/** How events that are run again may stand; `unrouted`: no event type had their name. */
export type RetriedStatus = 'failed' | 'ignored' | 'unrouted';

/**
 * Business events that are run again together (spec 8.3): those of an event type, or those of a
 * name that came to an organization or one below it. Times are ISO 8601.
 */
export interface EventSelection {
  of: { eventtype: string } | { name: string; organization: string };
  status: RetriedStatus;
  /** The first moment of their arrival, and the last. */
  since: string;
  until: string;
}

/** A place in the order of arrival: that of an event. */
export interface EventPosition {
  createdAt: string;
  id: string;
}
