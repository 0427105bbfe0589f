import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  processedIds,
  insertMessages as insert,
  markMessageDeleted,
  assignSequences,
} from '../../store/conversations/processed-messages.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import { useStore } from '../support/use-store.ts';

useStore();

/** Inserts documents with only the fields that these tests read. */
function insertMessages(documents: Partial<MessageDocument>[]): Promise<void> {
  return insert(documents as MessageDocument[]);
}

/**
 * Stores messages with the given sequences, in this order. `undefined` stands for a delayed
 * message.
 */
async function fill(conversation: string, sequences: (number | undefined)[]): Promise<void> {
  await insertMessages(
    sequences.map((sequence, at) => ({
      _id: `${conversation}-${sequence ?? `waits ${at}`}`,
      conversation,
      ...(sequence === undefined ? {} : { sequence }),
    })),
  );
}

test('processedIds returns the processed messages of each conversation in order, but no delayed or deleted messages', async () => {
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

test('processedIds returns the newest 1,000 ids of a long conversation', async () => {
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

test('processedIds agrees with the store after messages, deletions and delays in any order', async () => {
  let conversations = 0;
  const step = fc.oneof(
    fc.record({ kind: fc.constant('post' as const), count: fc.integer({ min: 1, max: 450 }) }),
    fc.record({ kind: fc.constant('wait' as const) }),
    fc.record({ kind: fc.constant('due' as const) }),
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
    fc.record({ kind: fc.constant('lag' as const) }),
    fc.record({ kind: fc.constant('look' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const story = createStory(`story ${(conversations += 1)}`);
      for (const one of [...steps, { kind: 'look' as const }]) await story.take(one);
    }),
    { numRuns: 8 },
  );
});

type Step =
  | { kind: 'post'; count: number }
  | { kind: 'delete'; which: number }
  | { kind: 'wait' | 'due' | 'lag' | 'look' };

/** Creates a conversation and tracks the ids that `processedIds` must return for it. */
function createStory(conversation: string) {
  let sequence = 0;
  let named = 0;
  const waiting: string[] = [];
  const processed: { id: string; sequence: number; deleted: boolean }[] = [];
  const nextId = () => `${conversation}-${(named += 1)}`;
  const shown = () =>
    processed.filter((one) => one.sequence > sequence - 1_000 && !one.deleted).map(({ id }) => id);
  const place = (id: string) => {
    sequence += 1;
    processed.push({ id, sequence, deleted: false });
    return { _id: id, conversation, sequence };
  };

  async function take(step: Step): Promise<void> {
    if (step.kind === 'post') {
      await insertMessages(Array.from({ length: step.count }, () => place(nextId())));
    } else if (step.kind === 'wait') {
      const id = nextId();
      waiting.push(id);
      await insertMessages([{ _id: id, conversation, dueAt: new Date() }]);
    } else if (step.kind === 'due') {
      const id = waiting.shift();
      if (id !== undefined) {
        await assignSequences([{ id, sequence: place(id).sequence, processedAt: new Date() }]);
      }
    } else if (step.kind === 'delete') {
      const one = processed[step.which % Math.max(1, processed.length)];
      if (!one) return;
      one.deleted = true;
      await markMessageDeleted(one.id, sequence, new Date());
    } else if (step.kind === 'lag') {
      // Simulates a conversation whose sequence is stored before its newest messages.
      await processedIds([{ id: conversation, sequence: sequence + 3 }]);
    } else {
      const ids = await processedIds([{ id: conversation, sequence }]);
      expect(ids.get(conversation)).toEqual(shown());
    }
  }
  return { take };
}

test('processedIds returns a message once the message is stored, even if the sequence of the conversation was stored before', async () => {
  await fill('late', [1, 2]);
  const ids = async () => (await processedIds([{ id: 'late', sequence: 4 }])).get('late');
  expect(await ids()).toEqual(['late-1', 'late-2']);
  await fill('late', [4]);
  expect(await ids()).toEqual(['late-1', 'late-2', 'late-4']);
  await fill('late', [3]);
  expect(await ids()).toEqual(['late-1', 'late-2', 'late-3', 'late-4']);
});

test('processedIds returns only the stored messages after a restore to a state with fewer messages than were cached', async () => {
  await fill('restored', [1, 2, 3]);
  await processedIds([{ id: 'restored', sequence: 3 }]);
  await messageModel.deleteMany({ conversation: 'restored', sequence: { $gt: 1 } });
  const ids = await processedIds([{ id: 'restored', sequence: 1 }]);
  expect(ids.get('restored')).toEqual(['restored-1']);
});

test('processedIds skips thousands of deleted messages', async () => {
  const numbers = Array.from({ length: 2_300 }, (_, at) => at + 1);
  await insertMessages(
    numbers.map((sequence) => ({
      ...{ _id: `purged-${sequence}`, conversation: 'purged', sequence },
      ...(sequence <= 2_100 ? { deletedAt: new Date() } : {}),
    })),
  );
  const ids = await processedIds([{ id: 'purged', sequence: 2_300 }]);
  expect(ids.get('purged')).toEqual(numbers.slice(2_100).map((number) => `purged-${number}`));
});
