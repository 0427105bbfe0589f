import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { UNUSED_MS } from '../../domain/files/file.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';
import { defineModel } from '../connection/model.ts';
import type { ContentPlace } from './contents.ts';

/** A file of a conversation (spec 6.11). Its content is stored separately. */
export interface FileDocument {
  _id: string;
  /** Digest of the key in the file's address. */
  key: string;
  organization: string;
  conversation: string;
  place: ContentPlace;
  createdBy: string;
  createdAt: Date;
  /** Messages whose text, buttons or meta have the file's address. */
  messages: string[];
  /** Absent while a message has the file. After this time the file is gone. */
  expiresAt?: Date;
  /** Absent until the content is complete, as are the next three. */
  name?: string;
  type?: string;
  bytes?: number;
  etag?: string;
}

export type CompleteFile = FileDocument & Required<Pick<FileDocument, 'name' | 'type' | 'bytes' | 'etag'>>;

const fileSchema = new mongoose.Schema<FileDocument>(
  {
    _id: String,
    key: String,
    organization: String,
    conversation: String,
    place: String,
    createdBy: String,
    createdAt: Date,
    messages: [String],
    expiresAt: Date,
    name: String,
    type: String,
    bytes: Number,
    etag: String,
  },
  { collection: 'files', versionKey: false, strict: true },
);

fileSchema.index({ key: 1 }, { unique: true });
fileSchema.index({ conversation: 1 });
fileSchema.index({ organization: 1 });
fileSchema.index({ expiresAt: 1 }, { partialFilterExpression: { expiresAt: { $exists: true } } });

export const fileModel = defineModel<FileDocument>('File', fileSchema);

function digestKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function notExpired(now: number) {
  return { $or: [{ expiresAt: { $exists: false } }, { expiresAt: { $gt: new Date(now) } }] };
}

type NewFile = Pick<FileDocument, '_id' | 'key' | 'organization' | 'conversation' | 'place' | 'createdBy'>;

/** Stores a file without content. It expires unless a message gets it. */
export async function insertFile({ key, ...file }: NewFile, keptMs = UNUSED_MS): Promise<void> {
  const now = storeNow();
  await fileModel.create([
    {
      ...file,
      key: digestKey(key),
      messages: [],
      createdAt: new Date(now),
      expiresAt: new Date(now + keptMs),
    },
  ]);
}

/** Returns false if the file was removed or has expired since. */
export async function completeFile(
  id: string,
  content: Pick<CompleteFile, 'name' | 'type' | 'bytes' | 'etag'>,
): Promise<boolean> {
  const { matchedCount } = await fileModel.collection.updateOne(
    { _id: id, expiresAt: { $gt: storeDate() } },
    { $set: content },
  );
  return matchedCount === 1;
}

export async function findFile(key: string): Promise<CompleteFile | null> {
  const found = await fileModel.collection.findOne({ key: digestKey(key), ...notExpired(storeNow()) });
  return isComplete(found) ? found : null;
}

function isComplete(file: FileDocument | null): file is CompleteFile {
  return file?.etag !== undefined;
}

/**
 * Returns the complete files of these keys that the conversation has, by key. Keeps unused files
 * for another day. `pending`: files of a chat that had no conversation yet become the
 * conversation's.
 */
export async function holdFiles(
  keys: readonly string[],
  { conversation, pending }: { conversation: string; pending?: string | undefined },
): Promise<Map<string, CompleteFile>> {
  const digests = new Map(keys.map((key) => [digestKey(key), key]));
  const now = storeNow();
  const wanted = {
    conversation: { $in: pending === undefined ? [conversation] : [conversation, pending] },
    key: { $in: [...digests.keys()] },
    etag: { $exists: true },
  };
  await fileModel.collection.updateMany(
    { ...wanted, expiresAt: { $gt: new Date(now) } },
    { $set: { conversation, expiresAt: new Date(now + UNUSED_MS) } },
  );
  const found = await fileModel.collection.find({ ...wanted, ...notExpired(now) }).toArray();
  return new Map(found.filter(isComplete).map((file) => [digests.get(file.key) ?? '', file]));
}

/** Notes that a message has the files of these keys. Repeatable. */
export async function noteMessageFiles(
  conversation: string,
  { message, keys }: { message: string; keys: readonly string[] },
): Promise<void> {
  await fileModel.collection.updateMany(
    {
      conversation,
      key: { $in: keys.map(digestKey) },
      messages: { $ne: message },
      ...notExpired(storeNow()),
    },
    { $push: { messages: message }, $unset: { expiresAt: '' } },
  );
}

/** Lets files expire that only this message had. `kept`: keys that the message still has. */
export async function releaseMessageFiles(
  conversation: string,
  { message, kept }: { message: string; kept: readonly string[] },
): Promise<void> {
  const { collection } = fileModel;
  const filter = { conversation, messages: message, key: { $nin: kept.map(digestKey) } };
  const { modifiedCount } = await collection.updateMany(filter, { $pull: { messages: message } });
  if (modifiedCount === 0) return;
  await collection.updateMany(
    { conversation, 'messages.0': { $exists: false }, expiresAt: { $exists: false } },
    { $set: { expiresAt: storeDate() } },
  );
}
