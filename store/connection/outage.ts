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

/** What a server answers that cannot do now what it can do later. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  // It does not reach the others of its set.
  6, 7, 89, 9001,
  // It ends, or is no longer or not yet the primary.
  91, 189, 10107, 11600, 11602, 13435, 13436,
  // The set did not agree in time.
  64, 133, 262,
  // It was started anew in the middle of a long answer.
  43,
  // Its disk is full.
  14031,
]);

/**
 * The system's words for a broken connection, which the driver passes on as they are when writing
 * to it fails.
 */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

/**
 * Whether an error means that the database could not be reached, or could not do what it was asked
 * at the moment: the same call may succeed later. Whether a write was made is not known.
 */
export function isOutage(error: unknown): boolean {
  if (OUTAGES.some((kind) => error instanceof kind)) return true;
  if (error instanceof MongoServerError) {
    // A bulk write has what went wrong in it.
    const { code, errorResponse } = error;
    return PASSING_CODES.has(code) || (errorResponse instanceof Error && isOutage(errorResponse));
  }
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall !== undefined && BROKEN.has(code);
}
