import { expect, onTestFinished, test, vi } from 'vitest';
import { createShared, serveServerPool } from './server-pool.ts';

const PRODUCT = {
  base: 'http://first',
  origin: '',
  token: '',
  environment: {},
  close: () => Promise.resolve(),
};

test('a shared product starts its second API again after a failed start', async () => {
  let starts = 0;
  const shared = createShared(
    () => Promise.resolve(PRODUCT),
    () => {
      starts += 1;
      if (starts === 1) return Promise.reject(new Error('no port'));
      return Promise.resolve({ base: 'http://second', close: () => Promise.resolve() });
    },
  );
  await expect(shared.second()).rejects.toThrow('no port');
  expect(await shared.second()).toEqual({ base: 'http://second' });
  expect(await shared.second()).toEqual({ base: 'http://second' });
  expect(starts).toBe(2);
});

test('an unused shared product that fails to stop is logged, and the next user starts another product', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  let starts = 0;
  const start = () => {
    starts += 1;
    return Promise.resolve({ ...PRODUCT, close: () => Promise.reject(new Error('it hangs')) });
  };
  const shared = createShared(start, undefined, 0);
  await shared.join();
  shared.leave();
  await expect.poll(() => logged.mock.calls.flat().join()).toContain('it hangs');
  await shared.join();
  expect(starts).toBe(2);
});

test('the server pool closes no idle connection while a client is sending a request', async () => {
  const desk = await serveServerPool(() => Promise.resolve({}));
  onTestFinished(() => desk.close());
  const response = await fetch(desk.address);
  // A server that closes idle connections announces the time.
  expect(response.headers.get('keep-alive')).toBeNull();
});
