import { expect, test } from 'vitest';
import { LIMITS } from '../../../application/expressions/protocol.ts';
import { buildPoolPolicy } from '../../../application/expressions/pool.ts';
import { TenantUsage } from '../../../domain/limits/fair-share.ts';

const LOOP_MS = LIMITS.cpuMs;

function turnsOf(size: number, alive = () => size, now?: () => number) {
  const { mayStart, countedNodes, noteCost } = buildPoolPolicy(size, alive, now);
  const running = new TenantUsage();
  return {
    may: (path: string[]) => mayStart(path, running),
    begin: (path: string[]) => running.add(countedNodes(path), 1),
    note: noteCost,
  };
}

test('in a pool of several processes, a branch of the organization tree never gets all processes', () => {
  const turns = turnsOf(3);
  turns.begin(['root', 'a', 'a1']);
  turns.begin(['root', 'a', 'a2']);
  expect(turns.may(['root', 'a', 'a3'])).toBe(false);
  expect(turns.may(['root', 'b'])).toBe(true);
});

test('in a pool of several processes, slow tenants together never get all processes', () => {
  const turns = turnsOf(3);
  for (const name of ['a', 'b', 'c']) turns.note(['root', name], LOOP_MS);
  turns.begin(['root', 'a']);
  turns.begin(['root', 'b']);
  expect(turns.may(['root', 'c'])).toBe(false);
  expect(turns.may(['root', 'd'])).toBe(true);
});

test('a run waits while no process is free', () => {
  const turns = turnsOf(2);
  turns.begin(['root', 'a']);
  turns.begin(['root', 'b']);
  expect(turns.may(['root', 'c'])).toBe(false);
});

test('a slow tenant waits while an ended process is being replaced, and other tenants do not', () => {
  let alive = 2;
  const turns = turnsOf(2, () => alive);
  turns.note(['root', 'a'], LOOP_MS);
  alive = 1;
  expect(turns.may(['root', 'a'])).toBe(false);
  expect(turns.may(['root', 'b'])).toBe(true);
  alive = 2;
  expect(turns.may(['root', 'a'])).toBe(true);
});

test('a slow tenant counts as fast again after a while', () => {
  let now = 0;
  const turns = turnsOf(3, undefined, () => now);
  for (const name of ['b', 'c']) {
    turns.note(['root', name], LOOP_MS);
    turns.begin(['root', name]);
  }
  turns.note(['root', 'a', 'types'], LOOP_MS);
  expect(turns.may(['root', 'a', 'other'])).toBe(false);
  now += LIMITS.slowForMs;
  expect(turns.may(['root', 'a', 'other'])).toBe(true);
});

test('a pool of one process also serves slow tenants', () => {
  const turns = turnsOf(1);
  turns.note(['root', 'a'], LOOP_MS);
  expect(turns.may(['root', 'a'])).toBe(true);
});
