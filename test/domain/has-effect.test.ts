import { describe, expect, test } from 'vitest';
import type { Effect } from '../../domain/conversations/change.ts';
import { decideAmend } from '../../domain/conversations/decide.ts';
import { hasEffect } from '../../domain/conversations/evolve.ts';
import { NOW, conversation } from '../support/conversations.ts';

const state = conversation({
  name: 'Order',
  meta: { colour: 'red', sizes: [1, 2] },
  contact: 'c1',
  loops: { b1: { identical: {}, consecutive: [1] } },
  pending: [{ id: 'm1', dueAt: NOW }],
});

/**
 * Upserts store only effects that change the conversation (spec 5.7, 5.9). So do amendments, except
 * that they always store effects of the kind `set`.
 */
describe('hasEffect', () => {
  test.each<[boolean, string, Effect]>([
    [false, 'sets a field to its value', { kind: 'set', field: 'name', value: 'Order' }],
    [true, 'sets a field to another value', { kind: 'set', field: 'name', value: 'Order 2' }],
    [false, 'clears an absent field', { kind: 'set', field: 'language', value: null }],
    [false, 'sets a key of meta to an equal list', { kind: 'meta', key: 'sizes', value: [1, 2] }],
    [true, 'sets a key of meta to another value', { kind: 'meta', key: 'colour', value: 'blue' }],
    [false, 'removes an absent key of meta', { kind: 'meta', key: 'constructor', value: null }],
    [false, 'assigns the same contact', { kind: 'owner', contact: 'c1' }],
    [true, 'unblocks a bot with counters', { kind: 'unblocked', bot: 'b1' }],
    [false, 'unblocks a bot without counters', { kind: 'unblocked', bot: 'b2' }],
    [true, 'unblocks all bots', { kind: 'unblocked' }],
    [true, 'makes a delayed message due', { kind: 'hurried', message: 'm1' }],
    [false, 'makes a message due that is not delayed', { kind: 'hurried', message: 'm2' }],
    [true, 'makes all delayed messages due', { kind: 'hurried' }],
    [true, 'changes the status', { kind: 'status', status: 'queued' }],
  ])('hasEffect returns %s for an effect that %s', (changes, _, effect) => {
    expect(hasEffect(state, effect)).toBe(changes);
  });

  test('a PATCH that sets a field to its current value is still an update', () => {
    const effects: Effect[] = [{ kind: 'set', field: 'name', value: 'Order' }];
    expect(decideAmend(state, { id: 'a1', by: 'u1', effects, now: NOW }).changes).toMatchObject([
      { effects },
    ]);
  });
});
