import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resolveBothFamilies } from '../../../deliveries/http/connector.ts';
import type { ResolvedAddress } from '../../../deliveries/http/connector.ts';

const FOUR: ResolvedAddress[] = [{ address: '192.0.2.1', family: 4 }];
const SIX: ResolvedAddress[] = [{ address: '2001:db8::1', family: 6 }];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number, found: ResolvedAddress[]) =>
  new Promise<ResolvedAddress[]>((resolve, reject) => {
    setTimeout(() => (found.length > 0 ? resolve(found) : reject(new Error('ENODATA'))), ms);
  });

async function found(...lookups: Promise<ResolvedAddress[]>[]) {
  const startedAt = Date.now();
  const ended = resolveBothFamilies(lookups).then((addresses) => ({
    addresses,
    after: Date.now() - startedAt,
  }));
  await vi.advanceTimersByTimeAsync(20_000);
  return ended;
}

describe('the addresses of a name', () => {
  test('the addresses of a name include IPv4 and IPv6', async () => {
    expect(await found(after(300, FOUR), after(5, SIX))).toEqual({
      addresses: [...FOUR, ...SIX],
      after: 300,
    });
    expect(await found(after(5, []), after(700, SIX))).toEqual({ addresses: SIX, after: 700 });
  });

  test('the addresses of a name are of one family, IPv4 or IPv6, if the name server does not respond for the other family within half a second after the first', async () => {
    expect(await found(after(10, FOUR), after(8_000, []))).toEqual({ addresses: FOUR, after: 510 });
    expect(await found(after(8_000, []), after(10, SIX))).toEqual({ addresses: SIX, after: 510 });
  });

  test('the addresses of a name are empty if both lookups fail', async () => {
    expect((await found(after(10, []), after(20, []))).addresses).toEqual([]);
  });
});
