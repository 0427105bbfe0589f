import { describe, expect, test } from 'vitest';
import { MAX_IDENTITIES, channelFacts, withIdentity, withMark } from '../../../domain/channels/identity.ts';

const sms = { id: 's1', type: 'api', touchpoint: 'sms' };
const ada = { service: 's1', touchpoint: 'sms', id: '+31201234567' };
const [FIRST, SECOND] = ['2026-03-14T09:00:00.000Z', '2026-03-15T09:00:00.000Z'];

/** Spec 15.1. */
describe('the identities of a contact', () => {
  test('the latest identity of a service is the address, before the profile', () => {
    const identities = withIdentity(withIdentity([], ada, FIRST), { ...ada, id: '+31207654321' }, SECOND);
    const profile = { telephone: '+31200000000' };
    expect(channelFacts(sms, { profile, identities }).address).toBe('+31207654321');
    expect(channelFacts(sms, { profile }).address).toBe('+31200000000');
    expect(channelFacts({ ...sms, touchpoint: 'telegram' }, { profile })).not.toHaveProperty('address');
  });

  test('a message from the latest identity changes nothing', () => {
    const identities = withIdentity([], { ...ada, name: 'Ada' }, FIRST);
    expect(withIdentity(identities, { ...ada, name: 'Ada' }, SECOND)).toBe(identities);
    expect(withIdentity(identities, ada, SECOND)).toBe(identities);
  });

  test('an identity that is used again becomes the latest', () => {
    const both = withIdentity(withIdentity([], ada, FIRST), { ...ada, id: 'other' }, SECOND);
    const again = withIdentity(both, ada, '2026-03-16T09:00:00.000Z');
    expect(channelFacts(sms, { profile: {}, identities: again }).address).toBe(ada.id);
  });

  test('a message proves an identity reachable, and only the contact ends an opt-out', () => {
    const marked = withMark(withMark([], ada, { bar: 'unreachable', isSet: true, now: FIRST }), ada, {
      bar: 'opted_out',
      isSet: true,
      now: FIRST,
    });
    const written = withIdentity(marked, ada, SECOND);
    expect(channelFacts(sms, { profile: {}, identities: written }).barred).toBe('opted_out');
    const freed = withMark(written, ada, { bar: 'opted_out', isSet: false, now: SECOND });
    expect(channelFacts(sms, { profile: {}, identities: freed })).not.toHaveProperty('barred');
  });

  test('a mark keeps the time at which it was set first', () => {
    const marked = withMark([], ada, { bar: 'opted_out', isSet: true, now: FIRST });
    const again = withMark(marked, ada, { bar: 'opted_out', isSet: true, now: SECOND });
    expect(again).toMatchObject([{ optedOutAt: FIRST }]);
  });

  test('a contact with too many identities loses the oldest identity', () => {
    let identities = withIdentity([], ada, FIRST);
    for (let at = 0; at < MAX_IDENTITIES; at += 1) {
      identities = withIdentity(identities, { ...ada, id: `n${at}` }, SECOND);
    }
    expect(identities).toHaveLength(MAX_IDENTITIES);
    expect(identities.some(({ id }) => id === ada.id)).toBe(false);
  });
});
