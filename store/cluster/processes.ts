import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';


/** An API process that lives, or that died without saying goodbye. */
export interface ApiProcessDocument {
  _id: string;
  /** When it was last seen alive. */
  seenAt: Date;
}

const FORGOTTEN_AFTER_SECONDS = 60;

const apiProcessSchema = new mongoose.Schema<ApiProcessDocument>(
  { _id: String, seenAt: Date },
  { collection: 'apiprocesses', versionKey: false },
);

apiProcessSchema.index({ seenAt: 1 }, { expireAfterSeconds: FORGOTTEN_AFTER_SECONDS });

const apiProcessModel = defineModel<ApiProcessDocument>('ApiProcess', apiProcessSchema);

/** Notes that an API process lives. */
export async function reportApiAlive(id: string, seenAt: Date): Promise<void> {
  await apiProcessModel.updateOne({ _id: id }, { $set: { seenAt } }, { upsert: true });
}

/** Whether another API process was seen since `since`. */
export async function isOtherApiAlive(id: string, since: Date): Promise<boolean> {
  const found = await apiProcessModel.exists({ seenAt: { $gte: since }, _id: { $ne: id } });
  return found !== null;
}

/** Forgets an API process that ends well. */
export async function forgetApi(id: string): Promise<void> {
  await apiProcessModel.deleteOne({ _id: id });
}


/** A worker process that lives, or that died without saying goodbye. */
interface WorkerDocument {
  _id: string;
  /** When it was last seen alive. */
  seenAt: Date;
}

const workerSchema = new mongoose.Schema<WorkerDocument>(
  { _id: String, seenAt: Date },
  { collection: 'workers', versionKey: false },
);

const workerModel = defineModel<WorkerDocument>('Worker', workerSchema);

/** Notes that a worker lives. */
export async function reportAlive(worker: string, seenAt: Date): Promise<void> {
  await workerModel.updateOne({ _id: worker }, { $set: { seenAt } }, { upsert: true });
}

/** Forgets a worker: it ended well, or what it left behind is cleared up. */
export async function forgetWorker(worker: string): Promise<void> {
  await workerModel.deleteOne({ _id: worker });
}

/** Workers that were not seen since `before`. */
export async function findLost(before: Date): Promise<WorkerDocument[]> {
  return workerModel.find({ seenAt: { $lt: before } }).lean<WorkerDocument[]>();
}
