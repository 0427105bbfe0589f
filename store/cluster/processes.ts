import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** An API process that is alive or has crashed. A clean shutdown removes it. */
export interface ApiProcessDocument {
  _id: string;
  seenAt: Date;
}

const FORGOTTEN_AFTER_SECONDS = 60;

const apiProcessSchema = new mongoose.Schema<ApiProcessDocument>(
  { _id: String, seenAt: Date },
  { collection: 'apiprocesses', versionKey: false },
);

apiProcessSchema.index({ seenAt: 1 }, { expireAfterSeconds: FORGOTTEN_AFTER_SECONDS });

const apiProcessModel = defineModel<ApiProcessDocument>('ApiProcess', apiProcessSchema);

export async function reportApiAlive(id: string, seenAt: Date): Promise<void> {
  await apiProcessModel.updateOne({ _id: id }, { $set: { seenAt } }, { upsert: true });
}

/** Returns whether another API process was alive after `since`. */
export async function isOtherApiAlive(id: string, since: Date): Promise<boolean> {
  const found = await apiProcessModel.exists({ seenAt: { $gte: since }, _id: { $ne: id } });
  return found !== null;
}

/** Removes an API process that shuts down cleanly. */
export async function forgetApi(id: string): Promise<void> {
  await apiProcessModel.deleteOne({ _id: id });
}

/** A worker process that is alive or has crashed. A clean shutdown removes it. */
interface WorkerDocument {
  _id: string;
  seenAt: Date;
}

const workerSchema = new mongoose.Schema<WorkerDocument>(
  { _id: String, seenAt: Date },
  { collection: 'workers', versionKey: false },
);

const workerModel = defineModel<WorkerDocument>('Worker', workerSchema);

export async function reportAlive(worker: string, seenAt: Date): Promise<void> {
  await workerModel.updateOne({ _id: worker }, { $set: { seenAt } }, { upsert: true });
}

/** Removes a worker that shut down cleanly or whose leftovers are recovered. */
export async function forgetWorker(worker: string): Promise<void> {
  await workerModel.deleteOne({ _id: worker });
}

/** Returns workers that were not seen since `before`. */
export async function findLost(before: Date): Promise<WorkerDocument[]> {
  return workerModel.find({ seenAt: { $lt: before } }).lean<WorkerDocument[]>();
}
