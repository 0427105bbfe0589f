import { expect, test } from 'vitest';
import { rejectReservedEmail } from '../../domain/user.ts';

test('reserves emails of the domain that Parlance gives to its own users', () => {
  expect(() => rejectReservedEmail('newcomer@parlance.local')).toThrow('reserved');
  expect(() => rejectReservedEmail('newcomer@example.com')).not.toThrow();
});
