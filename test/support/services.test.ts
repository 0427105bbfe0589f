import { expect, test } from 'vitest';
import type { ApiClient } from './client.ts';
import { untilActive, untilVerified } from './services.ts';

const respond = (body: object, status = 200) => ({ status, headers: new Headers(), body });

/** Returns a client whose reads return these statuses of a service in turn. */
function reading(...statuses: string[]): ApiClient {
  const get = () => Promise.resolve(respond({ id: 'a', status: statuses.shift() }));
  const requests = { get, post: get, request: get };
  return { ...requests, once: requests };
}

test('a service whose verification takes long is returned once it is active', async () => {
  const made = respond({ id: 'a', status: 'pending' }, 201);
  expect(await untilActive(reading('pending', 'pending', 'active'), made)).toMatchObject({
    status: 'active',
  });
  expect(await untilActive(reading(), respond({ id: 'a', status: 'active' }))).toMatchObject({ id: 'a' });
});

test('a service that fails its verification is not active', async () => {
  const made = respond({ id: 'a', status: 'pending' }, 201);
  await expect(untilActive(reading('pending', 'failed'), made)).rejects.toThrow('active');
  expect(await untilVerified(reading('pending', 'failed'), made)).toMatchObject({ status: 'failed' });
});

test('a refused service is an error with the response', async () => {
  await expect(untilActive(reading('active'), respond({ code: 'unprocessable' }, 422))).rejects.toThrow(
    'unprocessable',
  );
});
