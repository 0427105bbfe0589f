import mongoose from 'mongoose';
import { storeDate, storeNow } from '../cluster/clock.ts';
import { defineModel } from '../connection/model.ts';
import { fileModel } from './files.ts';

/** Bytes of an organization's files. */
interface FileUsageDocument {
  /** The organization. */
  _id: string;
  bytes: number;
  countedAt: Date;
}

const fileUsageSchema = new mongoose.Schema<FileUsageDocument>(
  { _id: String, bytes: Number, countedAt: Date },
  { collection: 'fileusage', versionKey: false, strict: true },
);

const fileUsageModel = defineModel<FileUsageDocument>('FileUsage', fileUsageSchema);

/** A crash between two writes makes the sum wrong until it is counted again. */
const RECOUNT_MS = 3_600_000;

/** Returns the sum, which may miss uploads of the last moment. */
export async function findUsage(organization: string): Promise<number> {
  const found = await fileUsageModel.collection.findOne({ _id: organization });
  if (found && storeNow() - found.countedAt.getTime() < RECOUNT_MS) return found.bytes;
  const [sum] = await fileModel.aggregate<{ bytes: number }>([
    { $match: { organization } },
    { $group: { _id: null, bytes: { $sum: '$bytes' } } },
  ]);
  const bytes = sum?.bytes ?? 0;
  await fileUsageModel.collection.updateOne(
    { _id: organization },
    { $set: { bytes, countedAt: storeDate() } },
    { upsert: true },
  );
  return bytes;
}

/** Returns false, and counts nothing, if the sum would exceed `quota`. Call `findUsage` before. */
export async function reserveUsage(organization: string, bytes: number, quota: number): Promise<boolean> {
  const { matchedCount } = await fileUsageModel.collection.updateOne(
    { _id: organization, bytes: { $lte: quota - bytes } },
    { $inc: { bytes } },
  );
  return matchedCount === 1;
}

export async function addUsage(organization: string, bytes: number): Promise<void> {
  await fileUsageModel.collection.updateOne({ _id: organization }, { $inc: { bytes } });
}

/** Call after the removal of an organization, which has no files any more. */
export async function removeUsage(organization: string): Promise<void> {
  await fileUsageModel.collection.deleteOne({ _id: organization });
}
