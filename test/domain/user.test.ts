import { expect, test } from 'vitest';
import { assertUnreservedEmail } from '../../domain/scope.ts';

test('reserves emails of the domain of generated users', () => {
  expect(() => assertUnreservedEmail('newcomer@parlance.local')).toThrow('reserved');
  expect(() => assertUnreservedEmail('newcomer@example.com')).not.toThrow();
});
