import { expect, test } from 'vitest';
import { charactersIn } from '../../domain/characters.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { findPage } from '../../store/queries/listing.ts';
import { messageModel } from '../../store/conversations/messages.ts';
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
