import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

export interface LeaseDocument {
  _id: string;
  /** Absent after a release. */
  owner?: string;
  /** Fencing token: rises whenever the lease is taken. */
  epoch: number;
  takenAt?: Date;
}

const leaseSchema = new mongoose.Schema<LeaseDocument>(
  { _id: String, owner: String, epoch: Number, takenAt: Date },
  { collection: 'leases', versionKey: false },
);

export const leaseModel = defineModel<LeaseDocument>('Lease', leaseSchema);

export interface TakenLease {
  epoch: number;
  previousOwner: string | undefined;
}

/**
 * Takes a lease unconditionally, because Temporal decides which process owns the shard. The caller
 * must wait until the previous owner calls `findHeldLeases` again.
 */
export async function takeLease(id: string, owner: string, now: Date): Promise<TakenLease> {
  const before = await leaseModel
    .findOneAndUpdate(
      { _id: id },
      { $set: { owner, takenAt: now }, $inc: { epoch: 1 } },
      { upsert: true, returnDocument: 'before' },
    )
    .lean<LeaseDocument | null>();
  return { epoch: (before?.epoch ?? 0) + 1, previousOwner: before?.owner };
}

/** Returns the owner's epochs by lease id. */
export async function findHeldLeases(ids: readonly string[], owner: string): Promise<Map<string, number>> {
  const found = await leaseModel
    .find({ _id: { $in: [...ids] }, owner }, { epoch: 1 })
    .lean<LeaseDocument[]>();
  return new Map(found.map(({ _id, epoch }) => [_id, epoch]));
}

/** Does nothing if the lease was taken again. */
export async function releaseLease(id: string, owner: string, epoch: number): Promise<void> {
  await leaseModel.updateOne({ _id: id, owner, epoch }, { $unset: { owner: '' } });
}
