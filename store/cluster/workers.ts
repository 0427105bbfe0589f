import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** A worker process that lives, or that died without saying goodbye. */
export interface WorkerDocument {
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
