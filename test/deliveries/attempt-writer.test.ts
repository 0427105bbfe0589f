import { describe, expect, test } from 'vitest';
import { createAttemptWriter } from '../../deliveries/attempt.ts';
import { storeDate } from '../../store/cluster/clock.ts';
import type { EndedAttempt } from '../../store/delivery/attempts.ts';
import { deliveryModel } from '../../store/delivery/deliveries.ts';
import { findDeliveries, queue, findStatuses } from '../support/drain.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const delivered = (_id: string): EndedAttempt => ({
  delivery: { _id, tries: 0 },
  attempt: { at: new Date().toISOString(), durationMs: 1, outcome: 'delivered', status: 200 },
  end: { status: 'delivered', finishedAt: storeDate() },
});

describe('attempts that end at the same time', () => {
  test('attempts that end at the same time are all stored when their promises resolve', async () => {
    const ids = (await queue('a', { count: 20 })).map(({ _id }) => _id);
    const record = createAttemptWriter();
    expect(await Promise.all(ids.map((id) => record(delivered(id))))).toEqual(ids.map(() => true));
    expect(new Set(await findStatuses('a'))).toEqual(new Set(['delivered']));
    expect((await findDeliveries('a')).map(({ tries, attempts }) => [tries, attempts.length])).toEqual(
      ids.map(() => [1, 1]),
    );
  });

  test('attempts that end at the same time are stored, except attempts of deliveries that were changed or removed in between', async () => {
    const ids = (await queue('b', { count: 6 })).map(({ _id }) => _id);
    await deliveryModel.updateOne({ _id: ids[1]! }, { $set: { tries: 1 } });
    await deliveryModel.updateOne({ _id: ids[3]! }, { $set: { status: 'skipped' } });
    await deliveryModel.deleteOne({ _id: ids[5]! });
    const record = createAttemptWriter();
    const written = await Promise.all(ids.map((id) => record(delivered(id))));
    expect(written).toEqual([true, false, true, false, true, false]);
    expect(await findStatuses('b')).toEqual(['delivered', 'pending', 'delivered', 'skipped', 'delivered']);
  });

  test('an attempt that the store refuses is reported as an error, and later attempts are still stored', async () => {
    const [row] = await queue('c');
    const record = createAttemptWriter();
    const impossible = delivered('none');
    const refused = record({ ...impossible, delivery: { _id: { $nonsense: 1 } as never, tries: 0 } });
    await expect(refused).rejects.toThrow();
    expect(await record(delivered(row!._id))).toBe(true);
  });
});
