export interface ListenerBounds {
  connections: number;
  /**
   * Connections per client address. Infinity behind proxies, which share their address between
   * clients.
   */
  connectionsOfAddress: number;
  /** Pipelined requests of a connection. They are handled one at a time. */
  unanswered: number;
  /** Bytes of responses, over all connections, that clients have not read. */
  unreadBytes: number;
  /** From connecting, or from the end of the previous request, to the end of the headers. */
  headersMs: number;
  /** From the same start to the end of the body. */
  requestMs: number;
  /** Between a response and the next request. */
  idleMs: number;
  /** Time without any progress in sending a response. */
  stalledMs: number;
  /** Total time for a client to read a response. */
  takingMs: number;
}

/** For API clients. */
export const CALLERS: ListenerBounds = {
  connections: 10_000,
  connectionsOfAddress: 500,
  unanswered: 16,
  unreadBytes: 128 * 1024 * 1024,
  headersMs: 20_000,
  requestMs: 60_000,
  // Longer than proxies and clients keep idle connections: if the server closed first, it could
  // lose a request that is on its way.
  idleMs: 75_000,
  stalledMs: 20_000,
  takingMs: 300_000,
};

/** For health probes and metrics. */
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
