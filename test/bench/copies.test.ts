import { expect, test } from 'vitest';
import { createCaller } from './caller.ts';
import { COPIED, makeCopies } from './growth/copies.ts';
import { sharedApi } from '../support/shared-servers.ts';

test('a copied conversation lists the original messages and continues their sequence', async () => {
  const { origin, token, organization, environment, close } = await sharedApi('copied-conversations');
  const caller = createCaller(origin, token);
  try {
    await makeCopies(3, {
      ...{ ...caller, organization, mongodbUri: environment['MONGODB_URI'] ?? '' },
      temporalAddress: environment['TEMPORAL_ADDRESS'] ?? '',
      namespace: environment['TEMPORAL_NAMESPACE'] ?? 'default',
    });
    const items: { id: string }[] = await caller.call(
      'GET',
      `/conversations?name=${encodeURIComponent(COPIED)}`,
    );
    expect(items).toHaveLength(4);
    for (const { id } of items) {
      const posted = await caller.call('POST', '/messages', {
        conversation: id,
        role: 'agent',
        text: 'third',
      });
      expect(posted.sequence).toBe(3);
      const messages: { text: string }[] = await caller.call(
        'GET',
        `/messages?conversation=${id}&sort=sequence`,
      );
      expect(messages.map(({ text }) => text)).toEqual(['the first', 'the second', 'third']);
    }
  } finally {
    await caller.close();
    await close();
  }
});
