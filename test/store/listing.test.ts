import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { charactersIn } from '../../domain/characters.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { findPage } from '../../store/queries/listing.ts';
import type { Condition } from '../../store/queries/listing.ts';
import { newId } from '../../store/queries/identifier.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { listMessages } from '../../store/conversations/find-messages.ts';
import { messageModel } from '../../store/conversations/messages.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { useStore } from '../support/use-store.ts';

useStore();

test('a page of 200 of the longest messages is returned, and a page of 1,000 is refused', async () => {
  const text = '😀'.repeat(32_000);
  for (let at = 0; at < 300; at += 50) {
    const some = Array.from({ length: 50 }, (_, n) => ({
      _id: String(at + n),
      text,
      organization: 'o',
    }));
    await anyCollection(messageModel).insertMany(some);
  }
  const page = (limit: number) =>
    findPage(messageModel, { organization: 'o' }, { conditions: [], sort: [], offset: 0, limit });
  const { records, total } = await page(200);
  expect([records.length, total]).toEqual([200, 300]);
  await expect(page(1000)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('request a smaller page'),
  });
  expect((await page(200)).records).toHaveLength(200);
});

test('charactersIn estimates the size of a value as JSON', () => {
  const value = { text: 'x'.repeat(1_000), meta: { a: [1, 'two', null, true], b: { c: 'y'.repeat(500) } } };
  expect(charactersIn(value) / JSON.stringify(value).length).toBeGreaterThan(0.95);
  expect(charactersIn(value) / JSON.stringify(value).length).toBeLessThan(1.1);
});

describe('a page of one message', () => {
  const MESSAGES = 200;
  const reach = { organization: newId() };

  beforeAll(() => storedOrganization({ _id: reach.organization }));

  /** Stores a conversation whose first and second message are deleted. One had no sequence. */
  async function store(): Promise<string> {
    const id = newId();
    const fields = { organization: reach.organization, updatedAt: new Date(), pending: [], version: 1 };
    await anyCollection(conversationModel).insertOne({ _id: id, slug: id, ...fields });
    const messages = Array.from({ length: MESSAGES }, (_, at) => ({
      ...{ _id: newId(), conversation: id, organization: reach.organization },
      ...(at < 2 ? { deletedAt: new Date() } : { text: 'some text' }),
      ...(at === 0 ? {} : { sequence: at }),
    }));
    await anyCollection(messageModel).insertMany(messages);
    return id;
  }

  const page = (id: string, ...more: Condition[]) =>
    listMessages(reach, {
      conditions: [{ path: 'conversation', is: 'one of', values: [id] }, ...more],
      ...{ sort: [{ path: 'sequence', descending: true }], offset: 0, limit: 1 },
    });

  test('a page of one message counts the messages of its conversation by the fields of an index', async () => {
    const count = vi.spyOn(messageModel.collection, 'countDocuments');
    onTestFinished(() => count.mockRestore());
    await page(await store());
    const fields = count.mock.calls.map(([filter]) =>
      JSON.stringify(filter)
        .match(/"\w+"(?=:)/g)
        ?.sort(),
    );
    // Only tombstones are read, which have no text.
    expect(fields).toEqual([
      ['"conversation"', '"sequence"'],
      ['"conversation"', '"deletedAt"', '"sequence"'],
    ]);
    expect(count.mock.calls[1]?.[1]?.hint).toEqual({ conversation: 1, deletedAt: 1 });
  });

  test('a page of one message has the total of the messages that are not deleted, in the requested range', async () => {
    const id = await store();
    expect((await page(id)).total).toBe(MESSAGES - 2);
    const bounds = [{ relation: 'less', value: 100 } as const];
    expect((await page(id, { path: 'sequence', is: 'within', bounds })).total).toBe(98);
    expect((await page(id, { path: 'text', is: 'absent' })).total).toBe(0);
    const other = { organization: newId() };
    await storedOrganization({ _id: other.organization });
    const query = { conditions: [], sort: [], offset: 10, limit: 1 };
    const conditions: Condition[] = [{ path: 'conversation', is: 'one of', values: [id] }];
    expect((await listMessages(other, { ...query, conditions })).total).toBe(0);
  });
});
