import { expect, test } from 'vitest';
import { clientTypes, committedTypes } from './client-types.ts';

test('the types of @parlance/client are up to date with the API description', async () => {
  const same = committedTypes() === (await clientTypes());
  expect(same, 'packages/client/src/api.ts is out of date: run `npm run client:types`, commit it').toBe(true);
});
