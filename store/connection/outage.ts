import mongoose from 'mongoose';

const {
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} = mongoose.mongo;

const OUTAGES = [
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  mongoose.Error.MongooseServerSelectionError,
];

/** MongoDB error codes of temporary failures. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  // The server cannot reach its replica set.
  6, 7, 89, 9001,
  // The server is shutting down, or is not the primary.
  91, 189, 10107, 11600, 11602, 13435, 13436,
  // The replica set did not agree in time.
  64, 133, 262,
  // The server restarted while it returned a cursor.
  43,
  // The disk is full.
  14031,
]);

/** System errors of a broken connection. */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

/** Returns whether the same call may succeed later. A failed write may have been applied. */
export function isOutage(error: unknown): boolean {
  if (OUTAGES.some((kind) => error instanceof kind)) return true;
  if (error instanceof MongoServerError) {
    // A bulk write wraps the actual error.
    const { code, errorResponse } = error;
    return PASSING_CODES.has(code) || (errorResponse instanceof Error && isOutage(errorResponse));
  }
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall !== undefined && BROKEN.has(code);
}
