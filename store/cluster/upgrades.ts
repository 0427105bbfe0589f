import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

interface UpgradeDocument {
  _id: string;
  doneAt: Date;
}

const schema = new mongoose.Schema<UpgradeDocument>(
  { _id: String, doneAt: Date },
  { collection: 'upgrades', versionKey: false, strict: true },
);

const upgradeModel = defineModel<UpgradeDocument>('Upgrade', schema);

/** When `noteUpgraded` was first called with this name, by whatever process; null: never. */
export async function upgradedAt(name: string): Promise<Date | null> {
  return (await upgradeModel.findById(name).lean<UpgradeDocument>())?.doneAt ?? null;
}

/**
 * Notes that all that earlier releases stored has been brought to the form that the name stands
 * for.
 */
export async function noteUpgraded(name: string, doneAt: Date): Promise<void> {
  await upgradeModel.updateOne({ _id: name }, { $setOnInsert: { doneAt } }, { upsert: true });
}
