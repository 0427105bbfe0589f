import { describe, expect, test } from 'vitest';
import { createAdmissionQueue } from '../../api/limits/door.ts';
import type { AdmissionSlot } from '../../api/limits/door.ts';

const SLOW = ['root', 'a', 'a loops'];
const LOOP_MS = 1_000;

/** A door that many ask to enter at once, with those it has let in. */
function crowd() {
  const door = createAdmissionQueue();
  const within: AdmissionSlot[] = [];
  const ask = async (line: string[], count: number) => {
    const asked = Array.from({ length: count }, () => door.enter(line));
    for (const one of asked) one.then((place) => within.push(place)).catch(() => undefined);
    // Who may enter has entered when the promises had their turn.
    await new Promise(setImmediate);
    return { asked };
  };
  return { door, within, ask };
}

describe('the admission of business events', () => {
  test('lets a few of a new kind in, and the others when the first have shown to be cheap', async () => {
    const { within, ask } = crowd();
    await ask(['root', 'b', 'b honest'], 60);
    expect(within).toHaveLength(8);
    for (const place of within.splice(0)) place.release(15);
    await new Promise(setImmediate);
    expect(within).toHaveLength(32);
  });

  test('lets some seconds of what is slow in, and refuses at once what would wait too long', async () => {
    const { door, within, ask } = crowd();
    (await door.enter(SLOW)).release(LOOP_MS);
    const { asked } = await ask(SLOW, 10);
    expect(within).toHaveLength(4);
    const refused = { code: 'rate_limited', retryAfterSeconds: 6 };
    await expect(asked[9]).rejects.toMatchObject(refused);
    await expect(door.enter(SLOW)).rejects.toMatchObject(refused);
  });

  test('lets others in while one floods, and gives what else is of the same organization the next turn', async () => {
    const { door, within, ask } = crowd();
    await ask(SLOW, 100);
    for (const name of ['b', 'c', 'd', 'e']) await door.enter(['root', name, `${name} honest`]);
    const other = door.enter(['root', 'a', 'a other']);
    within[0]!.release(15);
    (await other).release();
  });

  test('counts the organizations of one branch together', async () => {
    const { door, within, ask } = crowd();
    (await door.enter(SLOW)).release(LOOP_MS);
    for (let child = 0; child < 20; child += 1) await ask(['root', 'a', `a${child}`, `a${child} loops`], 1);
    expect(within).toHaveLength(4);
  });

  test('makes room once for each that leaves, however often it says so', async () => {
    const { door, within, ask } = crowd();
    (await door.enter(SLOW)).release(LOOP_MS);
    await ask(SLOW, 6);
    expect(within).toHaveLength(4);
    within[0]!.release(LOOP_MS);
    within[0]!.release(LOOP_MS);
    await new Promise(setImmediate);
    expect(within).toHaveLength(5);
  });
});
