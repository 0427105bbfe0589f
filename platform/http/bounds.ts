/** What one listener holds for its clients at most. */
export interface ListenerBounds {
  connections: number;
  /**
   * Connections of one address; Infinity where proxies stand in front, whose addresses are nobody's
   * own.
   */
  connectionsOfAddress: number;
  /**
   * Requests of one connection that wait for their answers; they are handled one after the other.
   */
  unanswered: number;
  /** Bytes of answers, over all connections, that were written and not taken. */
  unreadBytes: number;
  /** From connecting, or from the end of the request before, to the end of a request's headers. */
  headersMs: number;
  /** The same to the end of its body. */
  requestMs: number;
  /** Between an answer and the next request. */
  idleMs: number;
  /** How long an answer may wait without a byte of it being taken. */
  stalledMs: number;
  /** How long a client may take for an answer in all. */
  takingMs: number;
}

/** What a listener that serves callers holds. */
export const CALLERS: ListenerBounds = {
  connections: 10_000,
  connectionsOfAddress: 500,
  unanswered: 16,
  unreadBytes: 128 * 1024 * 1024,
  headersMs: 20_000,
  requestMs: 60_000,
  // Longer than proxies and clients keep an idle connection: whoever closes first must not be we,
  // who may be sent a request just then.
  idleMs: 75_000,
  stalledMs: 20_000,
  takingMs: 300_000,
};

/** What a listener that is asked by a few machines holds. */
export const PROBES: ListenerBounds = {
  ...CALLERS,
  connections: 200,
  connectionsOfAddress: 100,
  unanswered: 8,
  unreadBytes: 16 * 1024 * 1024,
  headersMs: 5_000,
  requestMs: 10_000,
  takingMs: 30_000,
};
