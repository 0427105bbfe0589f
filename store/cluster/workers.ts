import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { ttlCache } from '../queries/ttl-cache.ts';

/** A worker process that lives, or that died without saying goodbye. */
export interface WorkerDocument {
  _id: string;
  /** When it was last seen alive. */
  seenAt: Date;
  /** The worker can send deliveries whose body is stored once for several. */
  sharesBodies?: true;
}

const SHARING_CACHE_MS = 1_000;

const workerSchema = new mongoose.Schema<WorkerDocument>(
  { _id: String, seenAt: Date, sharesBodies: Boolean },
  { collection: 'workers', versionKey: false },
);

const workerModel = defineModel<WorkerDocument>('Worker', workerSchema);

/** Notes that a worker lives. */
export async function reportAlive(worker: string, seenAt: Date): Promise<void> {
  await workerModel.updateOne({ _id: worker }, { $set: { seenAt, sharesBodies: true } }, { upsert: true });
}

/** Forgets a worker: it ended well, or what it left behind is cleared up. */
export async function forgetWorker(worker: string): Promise<void> {
  await workerModel.deleteOne({ _id: worker });
}

/** Workers that were not seen since `before`. */
export async function findLost(before: Date): Promise<WorkerDocument[]> {
  return workerModel.find({ seenAt: { $lt: before } }).lean<WorkerDocument[]>();
}

const sharing = ttlCache({
  maxAgeMs: SHARING_CACHE_MS,
  max: 1,
  load: async () => (await workerModel.exists({ sharesBodies: { $ne: true } })) === null,
});

/**
 * Whether all workers can send deliveries that refer to a shared body: workers of the release
 * before, which may run beside new ones during a deploy, cannot. At most a second old.
 */
export function allWorkersShareBodies(): Promise<boolean> {
  return sharing.get('');
}
