import { expect, test } from 'vitest';
import { LIMITS } from '../../../application/expressions/protocol.ts';
import { createTurns } from '../../../application/expressions/fair-queue.ts';

const LOOP_MS = LIMITS.cpuMs;

const withAll = (size: number) => createTurns(size, () => size);

test('a branch of the tree never gets all processes, even with many organizations', () => {
  const turns = withAll(3);
  turns.begin(['root', 'a', 'a1']);
  turns.begin(['root', 'a', 'a2']);
  expect(turns.may(['root', 'a', 'a3'])).toBe(false);
  expect(turns.may(['root', 'b'])).toBe(true);
});

test('slow tenants together never get all processes', () => {
  const turns = withAll(3);
  for (const name of ['a', 'b', 'c']) turns.note(['root', name], LOOP_MS);
  turns.begin(['root', 'a']);
  turns.begin(['root', 'b']);
  expect(turns.may(['root', 'c'])).toBe(false);
  expect(turns.may(['root', 'd'])).toBe(true);
});

test('a slow tenant waits while the process it cost is being replaced', () => {
  let alive = 2;
  const turns = createTurns(2, () => alive);
  turns.note(['root', 'a'], LOOP_MS);
  alive = 1;
  expect(turns.may(['root', 'a'])).toBe(false);
  expect(turns.may(['root', 'b'])).toBe(true);
  alive = 2;
  expect(turns.may(['root', 'a'])).toBe(true);
});

test('a slow tenant counts as fast again after a while', () => {
  let now = 0;
  const turns = createTurns(
    2,
    () => 2,
    () => now,
  );
  turns.note(['root', 'a', 'types'], LOOP_MS);
  turns.note(['root', 'b'], LOOP_MS);
  turns.begin(['root', 'b']);
  expect(turns.may(['root', 'a', 'other'])).toBe(false);
  now += LIMITS.slowForMs;
  expect(turns.may(['root', 'a', 'other'])).toBe(true);
});

test('a pool of one process serves every tenant', () => {
  const turns = withAll(1);
  turns.note(['root', 'a'], LOOP_MS);
  expect(turns.may(['root', 'a'])).toBe(true);
});
