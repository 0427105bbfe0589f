import { describe, expect, test } from 'vitest';
import { createAdmissionQueue } from '../../api/limits/admission-queue.ts';
import type { Release } from '../../platform/concurrency/fair-scheduler.ts';

const SLOW = ['root', 'a', 'a loops'];
const LOOP_MS = 1_000;

/**
 * Creates an admission queue, a function that starts many entries at once, and a list with the
 * release function of each admitted entry.
 */
function crowd() {
  const door = createAdmissionQueue();
  const within: Release[] = [];
  const ask = async (line: string[], count: number) => {
    const asked = Array.from({ length: count }, () => door.enter(line));
    for (const one of asked) one.then((release) => within.push(release)).catch(() => undefined);
    // Promise callbacks run before setImmediate, so all admitted entries are in the list.
    await new Promise(setImmediate);
    return { asked };
  };
  return { door, within, ask };
}

describe('the admission of business events', () => {
  test('the admission of business events admits at most eight events of a new event type at first, and more after these events took little time', async () => {
    const { within, ask } = crowd();
    await ask(['root', 'b', 'b honest'], 60);
    expect(within).toHaveLength(8);
    for (const release of within.splice(0)) release(15);
    await new Promise(setImmediate);
    expect(within).toHaveLength(32);
  });

  test('the admission of business events admits a few seconds of slow work and at once rejects events that would wait too long', async () => {
    const { door, within, ask } = crowd();
    (await door.enter(SLOW))(LOOP_MS);
    const { asked } = await ask(SLOW, 10);
    expect(within).toHaveLength(4);
    const refused = { code: 'rate_limited', retryAfterSeconds: 6 };
    await expect(asked[9]).rejects.toMatchObject(refused);
    await expect(door.enter(SLOW)).rejects.toMatchObject(refused);
  });

  test('the admission of business events admits events of other tenants during a flood by one tenant, and gives the next free slot to another event type of that tenant', async () => {
    const { door, within, ask } = crowd();
    await ask(SLOW, 100);
    for (const name of ['b', 'c', 'd', 'e']) await door.enter(['root', name, `${name} honest`]);
    const other = door.enter(['root', 'a', 'a other']);
    within[0]!(15);
    (await other)();
  });

  test('the admission of business events applies one limit to all organizations of a branch together', async () => {
    const { door, within, ask } = crowd();
    (await door.enter(SLOW))(LOOP_MS);
    for (let child = 0; child < 20; child += 1) await ask(['root', 'a', `a${child}`, `a${child} loops`], 1);
    expect(within).toHaveLength(4);
  });

  test('the admission of business events frees one slot per event, even if release is called twice', async () => {
    const { door, within, ask } = crowd();
    (await door.enter(SLOW))(LOOP_MS);
    await ask(SLOW, 6);
    expect(within).toHaveLength(4);
    within[0]!(LOOP_MS);
    within[0]!(LOOP_MS);
    await new Promise(setImmediate);
    expect(within).toHaveLength(5);
  });
});
