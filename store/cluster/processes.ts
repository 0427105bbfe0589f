import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** A clean shutdown removes the document. After a crash it expires. */
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

export async function isOtherApiAlive(id: string, since: Date): Promise<boolean> {
  const found = await apiProcessModel.exists({ seenAt: { $gte: since }, _id: { $ne: id } });
  return found !== null;
}

export async function forgetApi(id: string): Promise<void> {
  await apiProcessModel.deleteOne({ _id: id });
}

export interface WorkerDocument {
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

/** Call when the worker shuts down cleanly or its commits are recovered. */
export async function forgetWorker(worker: string): Promise<void> {
  await workerModel.deleteOne({ _id: worker });
}

export async function findLost(before: Date): Promise<WorkerDocument[]> {
  return workerModel.find({ seenAt: { $lt: before } }).lean<WorkerDocument[]>();
}
