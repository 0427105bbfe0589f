import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/config/log.ts';

function lineOf(error: Error, key = 'err'): string {
  const lines: string[] = [];
  createLog({ name: 'test' }, { write: (line) => void lines.push(line) }).warn({ [key]: error }, 'failed');
  return lines.join('');
}

describe('a log line', () => {
  test.each(['err', 'error'])(
    'a log line with a failed bulk write in the field %s omits the documents of the write',
    (key) => {
      const insertedIds = Array.from({ length: 10_000 }, (_, index) => ({ index, _id: `row ${index}` }));
      const result = { insertedIds, insertedCount: 0 } as never;
      const error = new mongoose.mongo.MongoBulkWriteError({ message: 'no disk', code: 14031 }, result);
      const line = lineOf(Object.assign(error, { documents: insertedIds }), key);
      expect(line.length).toBeLessThan(10_000);
      expect(JSON.parse(line)[key]).toMatchObject({
        type: 'MongoBulkWriteError',
        message: 'no disk',
        code: 14031,
      });
    },
  );

  test('a log line truncates a long message, and contains the cause of an error and the first errors of an AggregateError', () => {
    expect(lineOf(new Error('x'.repeat(1_000_000))).length).toBeLessThan(20_000);
    expect(lineOf(new Error('outer', { cause: new Error('inner') }))).toContain('outer: inner');
    expect(lineOf(new AggregateError([new Error('first'), new Error('second')], 'all'))).toContain('second');
  });
});
