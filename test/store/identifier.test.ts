import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSeededIds, newSeed } from '../../application/posting/id-generator.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { newId } from '../../store/queries/identifier.ts';

const ID = /^[0-9a-f]{24}$/;

type Kind = 'minted' | 'seeded';

/**
 * Starts a process that creates ids. Returns a function that requests one id of the given kind from
 * the process.
 */
async function idProcess(): Promise<(kind: Kind) => Promise<string>> {
  const child = fork(fileURLToPath(new URL('fixtures/id-process.ts', import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  onTestFinished(() => void child.kill());
  const answer = async () => String((await once(child, 'message'))[0]);
  await answer();
  return (kind) => {
    child.send(kind);
    return answer();
  };
}

/**
 * Waits until the clocks of two processes have both advanced. The clocks differ by a few
 * milliseconds.
 */
const later = () => wait(20);

describe('ids', () => {
  test('ids increase within a process over many milliseconds', () => {
    const ids = Array.from({ length: 50_000 }, newId);
    expect(ids.filter((id) => !ID.test(id))).toEqual([]);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('ids of several processes increase with each millisecond, including ids from a seed', async () => {
    const processes = await Promise.all([idProcess(), idProcess()]);
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      for (const idOf of processes) {
        for (const kind of ['minted', 'seeded'] as const) {
          ids.push(await idOf(kind));
          await later();
        }
      }
    }
    expect(ids.toSorted()).toEqual(ids);
  });

  test('ids begin with the second, like an ObjectId', () => {
    const seconds = () => Math.floor(storeNow() / 1000);
    const before = seconds();
    const inId = Number.parseInt(newId().slice(0, 8), 16);
    expect(inId).toBeGreaterThanOrEqual(before);
    expect(inId).toBeLessThanOrEqual(seconds() + 1);
  });
});

describe('ids and slugs from a seed', () => {
  test('ids and slugs are equal for the same seed, and differ for different seeds', () => {
    const seed = newSeed();
    const namesOf = (given: string) => {
      const names = createSeededIds(given);
      return Array.from({ length: 300 }, () => [names.newId(), names.newSlug()]);
    };
    expect(namesOf(seed)).toEqual(namesOf(seed));
    const ids = namesOf(seed).map(([id = '']) => id);
    expect(ids.filter((id) => !ID.test(id))).toEqual([]);
    expect(ids.toSorted()).toEqual(ids);
    const others = new Set(namesOf(newSeed()).flat());
    expect(
      namesOf(seed)
        .flat()
        .filter((name) => others.has(name)),
    ).toEqual([]);
  });

  test('ids from a seed without milliseconds begin with the second of the seed', () => {
    const seed = `6745f0a1${'0123456789abcdef'.repeat(4)}`;
    const { newId: next, newSlug } = createSeededIds(seed);
    expect([next(), next(), newSlug()]).toEqual([
      '6745f0a1299647f5c9000000',
      '6745f0a1299647f5c9000001',
      'hbxzzi97jpj8g8H0',
    ]);
  });
});
