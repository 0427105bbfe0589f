import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { storeNow } from '../cluster/clock.ts';

/** A user who may not answer the conversations any more that the user holds (spec 4.10). */
export interface DepartureDocument {
  /** The user. */
  _id: string;
  by: string;
  at: Date;
  /** When a worker looks for conversations. While one does, the end of its lease. */
  dueAt: Date;
}

const departureSchema = new mongoose.Schema<DepartureDocument>(
  { _id: String, by: String, at: Date, dueAt: Date },
  { collection: 'departures', versionKey: false, strict: true },
);

departureSchema.index({ dueAt: 1 });

const departureModel = defineModel<DepartureDocument>('Departure', departureSchema);

/** Longer than the change of a user takes. After this time its process has died. */
const UNCHANGED_MS = 30_000;
/** Longer than a message takes whose sender was known before the change (spec 3.5). */
const SETTLED_MS = 60_000;
const LEASE_MS = 60_000;

/** Call before and after the change of the user, so that no crash loses the mark. */
export async function noteDeparture({ user, by, isOver }: { user: string; by: string; isOver: boolean }) {
  const now = storeNow();
  const dueAt = new Date(isOver ? now : now + UNCHANGED_MS);
  await departureModel.updateOne({ _id: user }, { $set: { by, at: new Date(now), dueAt } }, { upsert: true });
}

export async function claimDeparture(): Promise<DepartureDocument | null> {
  const now = storeNow();
  return departureModel
    .findOneAndUpdate(
      { dueAt: { $lte: new Date(now) } },
      { $set: { dueAt: new Date(now + LEASE_MS) } },
      { returnDocument: 'after' },
    )
    .lean<DepartureDocument>();
}

export async function extendDeparture({ _id, dueAt }: DepartureDocument): Promise<DepartureDocument | null> {
  return departureModel
    .findOneAndUpdate(
      { _id, dueAt },
      { $set: { dueAt: new Date(storeNow() + LEASE_MS) } },
      { returnDocument: 'after' },
    )
    .lean<DepartureDocument>();
}

/** Removes the mark, or keeps it for a second search if the change is recent. */
export async function endDeparture({ _id, at, dueAt }: DepartureDocument): Promise<void> {
  const settledAt = new Date(at.getTime() + SETTLED_MS);
  if (settledAt.getTime() <= storeNow()) await departureModel.deleteOne({ _id, dueAt });
  else await departureModel.updateOne({ _id, dueAt }, { $set: { dueAt: settledAt } });
}
