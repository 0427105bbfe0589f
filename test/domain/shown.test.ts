import { expect, test } from 'vitest';
import { presentRecord } from '../../domain/record-fields.ts';

test('presentRecord omits unlisted and absent fields', () => {
  const record = { _id: 'x', name: 'Ada', secret: 's', email: null, at: new Date(0) };
  expect(presentRecord(record, ['name', 'email', 'at'])).toEqual({
    id: 'x',
    name: 'Ada',
    at: '1970-01-01T00:00:00.000Z',
  });
});
