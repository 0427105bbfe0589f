import { describe, expect, test } from 'vitest';
import { splitIntoSlices } from '../../activities/write-rows.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import type { EventRecord } from '../../domain/events/event-record.ts';

/** Splits events into slices. The nth event has `counts[n]` rows. Each body has 100 characters. */
function sliced(counts: number[], size: { rows: number; characters: number }) {
  const made: number[] = [];
  const events = counts.map((_, at) => ({ sequence: at + 1 }) as EventRecord);
  const rowsOf = ({ sequence }: EventRecord) => {
    made.push(sequence);
    const row = { eventId: String(sequence), body: 'x'.repeat(100) } as DeliveryRow;
    return Array.from({ length: counts[sequence - 1] ?? 0 }, () => row);
  };
  return { made, slices: splitIntoSlices(events, rowsOf, size) };
}

const shapeOf = ({ rows, through, isLast }: { rows: unknown[]; through: number; isLast: boolean }) => [
  ...[rows.length, through, isLast],
];

describe('slices of deliveries', () => {
  test.each([
    ['one slice for few rows', [1, 0, 2, 0], [[3, 4, true]]],
    [
      'cut by the number of rows, between events',
      [60, 60, 60, 60],
      [
        [120, 2, false],
        [120, 4, true],
      ],
    ],
    [
      'cut by the characters of the bodies',
      [1, 1, 1, 1, 1, 1, 1],
      [
        [5, 5, false],
        [2, 7, true],
      ],
    ],
    ['one slice for an event with very many rows', [1_000], [[1_000, 1, true]]],
    ['no slice without rows', [0, 0], []],
  ])('deliveries are split into slices: %s', (_, counts, expected) => {
    const { slices: all } = sliced(counts, { rows: 100, characters: 450 });
    expect([...all].map(shapeOf)).toEqual(expected);
  });

  test('the bodies of a slice of deliveries are built only when the slice is requested', () => {
    const { made, slices: all } = sliced([100, 100, 100], { rows: 100, characters: 1_000 });
    all.next();
    expect(made).toEqual([1]);
  });
});
