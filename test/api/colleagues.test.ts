import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

describe('GET /users/colleagues', () => {
  let product: Product;
  let agent: KeyHolder;
  let bruno: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('colleagues');
    const { admin, organization } = product;
    const newOrganization = async (name: string, parent: string) =>
      (await admin.post('/organizations', { name, parent })).body.id as string;
    const own = await newOrganization('own', organization);
    const [below, beside] = [
      await newOrganization('below', own),
      await newOrganization('beside', organization),
    ];
    agent = await newUser(product, { role: 'agent', organization: own, givenName: 'Ada' });
    bruno = await newUser(product, {
      role: 'admin',
      organization: own,
      givenName: 'Bruno',
      familyName: 'Schulz',
      avatar: 'https://example.com/bruno.png',
      status: 'online',
    });
    for (const role of ['bot', 'viewer']) await newUser(product, { role, organization: own });
    for (const other of [below, beside, organization]) {
      await newUser(product, { role: 'agent', organization: other, givenName: 'Carl' });
    }
  });
  afterAll(() => product.close());

  const names = async (query = '') => {
    const { body } = await agent.get(`/users/colleagues${query}`);
    return body.map(({ name }: { name: string }) => name) as string[];
  };

  test('GET /users/colleagues lists the agents and admins of the caller’s own organization only', async () => {
    expect(await names('?sort=name')).toEqual(['Ada', 'Bruno Schulz']);
  });

  test('GET /users/colleagues shows id, name, avatar and status of a colleague only', async () => {
    const { body, headers } = await agent.get('/users/colleagues?name=Bruno Schulz');
    expect(body).toEqual([
      { id: bruno.user, name: 'Bruno Schulz', avatar: 'https://example.com/bruno.png', status: 'online' },
    ]);
    expect(headers.get('x-total')).toBe('1');
  });

  test.each(['email=bruno@example.com', 'role=admin', 'organization=0123456789abcdef01234567', 'sort=email'])(
    'GET /users/colleagues rejects the hidden field in %s',
    async (query) => {
      const { status, body } = await agent.get(`/users/colleagues?${query}`);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    },
  );

  test('GET /users/colleagues is forbidden for scope guest', async () => {
    const viewer = await newUser(product, { role: 'viewer' });
    expect((await viewer.get('/users/colleagues')).status).toBe(403);
  });
});
