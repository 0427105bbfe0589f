import mongoose from 'mongoose';

const { MongoNetworkError, MongoNotConnectedError, MongoServerSelectionError, MongoTopologyClosedError } =
  mongoose.mongo;

const OUTAGES = [
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  mongoose.Error.MongooseServerSelectionError,
];

/** Whether an error means that the database could not be reached: the same call may succeed a moment later. */
export function isOutage(error: unknown): boolean {
  return OUTAGES.some((kind) => error instanceof kind);
}
