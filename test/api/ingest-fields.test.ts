import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventType } from '../support/event-types.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

const SECRET = 'a long random text';

/** Spec 8.9. */
describe('a new ingest address', () => {
  let product: Product;
  let user: string;
  let address: string;

  beforeAll(async () => {
    product = await sharedApi('ingest_fields');
    ({ user } = await newUser(product, { role: 'bot' }));
    address = `/eventtypes/${await newEventType(product, 'protected', 'null')}/ingest`;
  });
  afterAll(() => product.close());

  test.each([
    ['a mistyped secret', { secrit: SECRET }, 'secrit'],
    ['a mistyped signature', { secret: SECRET, signatur: 'github' }, 'signatur'],
    [
      'a mistyped field of a signature',
      { secret: SECRET, signature: { header: 'X-A', headr: 'X-A' } },
      'signature.headr',
    ],
  ])('%s is refused, because the address would be less protected than intended', async (_, fields, path) => {
    const { status, body } = await product.admin.post(address, { user, ...fields });
    expect([status, body.details[0].path]).toEqual([400, path]);
    expect((await product.admin.get(address)).status).toBe(404);
  });
});
