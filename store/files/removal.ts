import { storeDate } from '../cluster/clock.ts';
import type { FileContents } from './contents.ts';
import { fileModel } from './files.ts';
import { addUsage } from './usage.ts';

const BATCH = 100;

/**
 * Lets all files of a conversation expire: from now on no file can be read or used. Removes what
 * can be removed at once. `removeExpiredFiles` removes the rest. Repeatable.
 */
export async function removeConversationFiles(
  conversation: string,
  { files, log }: { files: FileContents; log: { warn: (facts: object, message: string) => void } },
): Promise<void> {
  await fileModel.collection.updateMany({ conversation }, { $set: { expiresAt: new Date(0) } });
  try {
    while ((await removeSome({ conversation }, files)) === BATCH);
  } catch (error) {
    log.warn({ err: error, conversation }, 'failed to remove the files of a deleted conversation');
  }
}

/** Removes a batch of expired files. Returns whether there may be more. */
export async function removeExpiredFiles(files: FileContents): Promise<boolean> {
  return (await removeSome({ expiresAt: { $lte: storeDate() } }, files)) === BATCH;
}

export async function removeFile(id: string, files: FileContents): Promise<void> {
  await removeSome({ _id: id }, files);
}

/**
 * The record goes last, so that a crash leaves no content without a record. Rejects with the first
 * failure, after all removals of the batch.
 */
async function removeSome(
  filter: Partial<Record<'_id' | 'conversation', string>> & { expiresAt?: object },
  files: FileContents,
): Promise<number> {
  const found = await fileModel.collection
    .find(filter, { projection: { place: 1, organization: 1, bytes: 1 }, limit: BATCH })
    .toArray();
  const failures: unknown[] = [];
  for (const { _id, place, organization, bytes = 0 } of found) {
    try {
      await files.remove({ id: _id, place });
      const { deletedCount } = await fileModel.collection.deleteOne({ _id });
      if (deletedCount === 1 && bytes > 0) await addUsage(organization, -bytes);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return found.length;
}
