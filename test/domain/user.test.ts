import { expect, test } from 'vitest';
import { assertUnreservedEmail } from '../../domain/scope.ts';

test('an email in the domain of generated users is reserved and refused', () => {
  expect(() => assertUnreservedEmail('newcomer@parlance.local')).toThrow('reserved');
  expect(() => assertUnreservedEmail('newcomer@example.com')).not.toThrow();
});
