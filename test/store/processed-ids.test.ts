import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningStore } from '@parlance/store-engine';
import { startStore } from '@parlance/store-engine';
import { connectStore, disconnectStore, ensureIndexes } from '../../store/connection/connect.ts';
import { processedIds } from '../../store/conversations/find-messages.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: RunningStore;

beforeAll(async () => {
  folder = await temporaryFolder();
  store = await startStore({ dataDir: folder.path });
  await connectStore(store.uri);
  await ensureIndexes();
});
afterAll(async () => {
  await disconnectStore();
  await store.close();
  await folder.remove();
});

/** Stores messages with these numbers in this order; `undefined` stands for one that waits. */
async function fill(conversation: string, sequences: (number | undefined)[]): Promise<void> {
  await messageModel.insertMany(
    sequences.map((sequence, at) => ({
      _id: `${conversation}-${sequence ?? `waits ${at}`}`,
      conversation,
      ...(sequence === undefined ? {} : { sequence }),
    })),
  );
}

test('each conversation has the ids of its processed messages, in order, without those that wait or were removed', async () => {
  await fill('b', [2, 1, undefined, 10, 3]);
  await fill('a', [1, 2]);
  await messageModel.updateOne({ _id: 'b-2' }, { $set: { deletedAt: new Date() } });
  const ids = await processedIds([
    { id: 'b', sequence: 10 },
    { id: 'none', sequence: 0 },
    { id: 'a', sequence: 2 },
  ]);
  expect([...ids]).toEqual([
    ['b', ['b-1', 'b-3', 'b-10']],
    ['none', []],
    ['a', ['a-1', 'a-2']],
  ]);
});

test('the processed ids of a long conversation are its newest 1,000, and of others all', async () => {
  const numbers = Array.from({ length: 1_205 }, (_, at) => at + 1);
  await fill('long', numbers);
  await fill('short', [1]);
  const ids = await processedIds([
    { id: 'long', sequence: 1_205 },
    { id: 'short', sequence: 1 },
  ]);
  expect(ids.get('long')).toEqual(numbers.slice(205).map((number) => `long-${number}`));
  expect(ids.get('short')).toEqual(['short-1']);
});
