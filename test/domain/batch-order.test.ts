import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyedOrder, recordKeys } from '../../domain/batch-order.ts';

const ID = '0123456789abcdef01234567';

describe('the order of the lines of a batch', () => {
  test.each([
    ['/messages', { conversation: ID, text: 'hi' }, [ID]],
    ['/messages', [{ conversation: ID }, { conversation: 'other' }], [ID, 'other']],
    [`/conversations/${ID}/messages`, { text: ID }, [ID]],
    [
      '/conversations',
      { contact: { profile: { email: ' Ada@Example.com', telephone: '+31 20' } } },
      ['ada@example.com', '+3120'],
    ],
    ['/contacts', { externalId: 'A1', meta: { colour: 'red' } }, ['a1']],
    ['/contacts', null, []],
    ['/contacts', { profile: { name: 'Ada' } }, []],
  ])('a request to %s with %j names the records %j', (path, body, keys) => {
    expect([...recordKeys(path, body)]).toEqual(keys);
  });

  test('works with a common key run one after the other, in the order of their start', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')), fails: fc.boolean() }), {
          maxLength: 12,
        }),
        async (scheduler, works) => {
          const inOrder = createKeyedOrder();
          const running = new Set<number>();
          const begun: number[] = [];
          const settled = works.map(({ keys, fails }, at) =>
            inOrder(new Set(keys), async () => {
              for (const other of running) {
                expect(works[other]?.keys.some((key) => keys.includes(key))).toBe(false);
              }
              running.add(at);
              begun.push(at);
              await scheduler.schedule(Promise.resolve());
              running.delete(at);
              if (fails) throw new Error('failed');
              return at;
            }),
          );
          const all = Promise.allSettled(settled);
          await scheduler.waitFor(all);
          const results = await all;
          expect(results.map(({ status }) => status)).toEqual(
            works.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
          );
          for (const key of ['a', 'b', 'c'] as const) {
            const inTurn = begun.filter((at) => works[at]?.keys.includes(key));
            expect(inTurn).toEqual(inTurn.toSorted((a, b) => a - b));
          }
        },
      ),
    );
  });
});
