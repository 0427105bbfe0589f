import { expect, test } from 'vitest';
import { splitByPresence } from '../../domain/effects/channel-presence.ts';

test('a channel is online if a connected member is not away now, even if the channel still stores another status', () => {
  const channels = [
    { _id: 'a', members: [{ user: 'ada', online: true }] },
    { _id: 'b', members: [{ user: 'bob', online: true }] },
    { _id: 'c', members: [{ user: 'ada', online: false, suspended: true as const }] },
    { _id: 'd', members: [{ user: 'ada', online: false }] },
    { _id: 'e', members: [] },
  ];
  expect(splitByPresence(channels, new Set(['bob']))).toEqual({
    online: ['a', 'c'],
    offline: ['b', 'd', 'e'],
  });
});
