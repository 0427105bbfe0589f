import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { ownApi } from '../support/shared-servers.ts';

const ROWS = 5_000;
const SINGLE_MS = 10_000;
const SECOND_MS = 1_000;

/** Spec 2.11, with the default rate limits. */
test('a batch creates at least ten times as many contacts per second as single requests of the same caller', async () => {
  const product = await ownApi('load_batch', { RATE_LIMIT_PER_ADDRESS: '20', RATE_LIMIT_PER_KEY: '20' });
  onTestFinished(() => product.close());
  await createByBatch(product, 500);
  const single = await createOneByOne(product.admin);
  const batch = await createByBatch(product, ROWS);
  console.log(`contacts per second: ${single.toFixed(0)} by single requests, ${batch.toFixed(0)} by a batch`);
  expect(batch).toBeGreaterThan(10 * single);
});

/** Returns the contacts per second of eight requests in flight, which are repeated after a 429. */
async function createOneByOne(admin: ApiClient): Promise<number> {
  const startedAt = performance.now();
  let created = 0;
  const create = async () => {
    while (performance.now() - startedAt < SINGLE_MS) {
      const { status, headers } = await admin.once.post('/contacts', { profile: { name: 'Ada' } });
      if (status === 201) created += 1;
      else await wait(Number(headers.get('retry-after')) * SECOND_MS);
    }
  };
  await Promise.all(Array.from({ length: 8 }, create));
  return perSecond(created, startedAt);
}

async function createByBatch(
  { base, token }: { base: string; token: string },
  rows: number,
): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${base}/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: '{"path":"/contacts","body":{"profile":{"name":"Ada"}}}\n'.repeat(rows),
  });
  const results = (await response.text()).trimEnd().split('\n');
  expect(results.filter((line) => line.startsWith('{"status":201,'))).toHaveLength(rows);
  return perSecond(rows, startedAt);
}

function perSecond(count: number, startedAt: number): number {
  return (count * SECOND_MS) / (performance.now() - startedAt);
}
