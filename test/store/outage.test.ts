import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { isOutage } from '../../store/connection/outage.ts';

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongoose.mongo;

describe('an outage of the store', () => {
  test('a broken connection is an outage of the store, even during a write', () => {
    const reset = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' });
    expect(isOutage(reset)).toBe(true);
    expect(isOutage(new MongoNetworkError('closed'))).toBe(true);
    expect(isOutage(new MongoBulkWriteError(new MongoNetworkError('closed'), {} as never))).toBe(true);
  });

  test.each([
    [14031, 'a full disk'],
    [43, 'a server that restarted during a long response'],
    [10107, 'a server that is no longer the primary'],
    [11600, 'a server that is shutting down'],
  ])('the error code %i is an outage of the store: %s', (code) => {
    expect(isOutage(new MongoServerError({ message: 'not now', code }))).toBe(true);
  });

  test('bugs and refusals are not outages of the store', () => {
    expect(isOutage(new TypeError('x is undefined'))).toBe(false);
    expect(isOutage(new MongoServerError({ message: 'E11000 duplicate key', code: 11000 }))).toBe(false);
    expect(isOutage(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
      false,
    );
    expect(isOutage(undefined)).toBe(false);
  });
});
