import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** Who may do something that only one process may do at a time. */
export interface LeaseDocument {
  _id: string;
  /** Absent: nobody, the last one gave it back. */
  owner?: string;
  /** Rises with every change of hands. */
  epoch: number;
  takenAt?: Date;
}

const leaseSchema = new mongoose.Schema<LeaseDocument>(
  { _id: String, owner: String, epoch: Number, takenAt: Date },
  { collection: 'leases', versionKey: false },
);

export const leaseModel = defineModel<LeaseDocument>('Lease', leaseSchema);

/** A lease as it was taken, and who had it until then. */
export interface TakenLease {
  epoch: number;
  previousOwner: string | undefined;
}

/**
 * Takes a lease unconditionally and raises its epoch, the fencing token: Temporal decided who owns
 * the shard. The previous owner learns of it at its next `findHeld`; until then it goes on, so a
 * caller that takes a lease from somebody waits for as long as that may last.
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

/** Those of the leases that the owner still has, by id, with their epochs. */
export async function findHeldLeases(ids: readonly string[], owner: string): Promise<Map<string, number>> {
  const found = await leaseModel
    .find({ _id: { $in: [...ids] }, owner }, { epoch: 1 })
    .lean<LeaseDocument[]>();
  return new Map(found.map(({ _id, epoch }) => [_id, epoch]));
}

/** Gives a lease back, if it is still the one that was taken: the next owner need not wait. */
export async function releaseLease(id: string, owner: string, epoch: number): Promise<void> {
  await leaseModel.updateOne({ _id: id, owner, epoch }, { $unset: { owner: '' } });
}
