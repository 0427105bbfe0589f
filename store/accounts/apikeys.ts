import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Scope } from '../../domain/scope.ts';
import { storeNow } from '../cluster/clock.ts';
import { insertOnce } from '../queries/insert.ts';

/** An API key (spec 3.6). The token itself is not stored. */
export interface ApiKeyDocument {
  _id: string;
  user: string;
  name: string;
  scopes: Scope[];
  createdBy: string;
  createdAt: Date;
  expiresAt?: Date;
  /** Rounded down to the minute. */
  lastUsedAt?: Date;
}

const MINUTE_MS = 60_000;

const apiKeySchema = new mongoose.Schema<ApiKeyDocument>(
  {
    _id: String,
    user: String,
    name: String,
    scopes: [String],
    createdBy: String,
    createdAt: Date,
    expiresAt: Date,
    lastUsedAt: Date,
  },
  { collection: 'apikeys', versionKey: false, strict: true },
);

apiKeySchema.index({ user: 1, _id: 1 });

const apiKeyModel = defineModel<ApiKeyDocument>('ApiKey', apiKeySchema);

export async function insertApiKey(key: ApiKeyDocument): Promise<void> {
  await insertOnce(apiKeyModel, key);
}

export async function findApiKey(id: string): Promise<ApiKeyDocument | null> {
  return apiKeyModel.findById(id).lean<ApiKeyDocument>();
}

/** Writes at most once per minute and key. */
export async function noteApiKeyUse({ _id, lastUsedAt }: ApiKeyDocument): Promise<void> {
  const minute = new Date(Math.floor(storeNow() / MINUTE_MS) * MINUTE_MS);
  if (lastUsedAt && lastUsedAt >= minute) return;
  await apiKeyModel.updateOne({ _id }, { $max: { lastUsedAt: minute } });
}

export async function listApiKeys(user: string): Promise<ApiKeyDocument[]> {
  return apiKeyModel.find({ user }).sort({ _id: 1 }).lean<ApiKeyDocument[]>();
}

export async function removeApiKey(user: string, id: string): Promise<boolean> {
  const { deletedCount } = await apiKeyModel.deleteOne({ _id: id, user });
  return deletedCount > 0;
}

export async function removeApiKeys(user: string): Promise<void> {
  await apiKeyModel.deleteMany({ user });
}
