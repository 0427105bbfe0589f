import { expect } from 'vitest';
import type { ApiClient, ApiResponse } from './client.ts';
import { eventually } from './eventually.ts';

/**
 * Returns the service of a response once its verification has ended, and asserts that the service
 * is active. A request that begins a verification returns after five seconds with the status
 * `pending`, and the product continues to verify the service.
 */
export async function untilActive(admin: ApiClient, response: ApiResponse<any>): Promise<any> {
  const service = await untilVerified(admin, response);
  expect(service).toMatchObject({ status: 'active' });
  return service;
}

/** Returns the service of a response once its verification has ended, whatever the result. */
export async function untilVerified(admin: ApiClient, { status, body }: ApiResponse<any>): Promise<any> {
  if (status !== 200 && status !== 201) throw new Error(`no service: ${status} ${JSON.stringify(body)}`);
  if (body.status !== 'pending') return body;
  return eventually(async () => {
    const found = await admin.get(`/services/${body.id}`);
    return found.status === 200 && found.body.status !== 'pending' && found.body;
  });
}
