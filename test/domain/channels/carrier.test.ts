import { describe, expect, test } from 'vitest';
import { assertCarriable, chooseCarrier } from '../../../domain/channels/carrier.ts';
import type { CarrierFacts, ChannelFacts } from '../../../domain/channels/channel-type.ts';
import type { Touchpoint } from '../../../domain/conversations/conversation.ts';
import { agent, catchError, contact, conversation, draft, postAll } from '../../support/conversations.ts';

const sms: ChannelFacts = { id: 'sms-1', type: 'api', touchpoint: 'sms', address: '+31201234567' };
const otherSms: ChannelFacts = { ...sms, id: 'sms-2' };
const telegram: ChannelFacts = { id: 'tg-1', type: 'api', touchpoint: 'telegram', address: '77' };

const selected = (code: string, services: string[] = []): Record<string, Touchpoint> => ({
  [code]: { services, selected: true },
});
const byAgent = (services: ChannelFacts[], more: Partial<CarrierFacts> = {}, fields: object = {}) => ({
  ...draft(agent, { role: 'agent', isBackchannel: false }),
  ...fields,
  facts: { carriers: { named: false, services, ...more } },
});

/** Spec 15.2. */
describe('the service that carries a message', () => {
  test('a message that names nothing goes by the selected touchpoint and its last service', () => {
    const found = chooseCarrier(selected('sms', ['sms-1', 'sms-2']), byAgent([sms, otherSms, telegram]));
    expect(found?.id).toBe('sms-2');
  });

  test('a service that is gone is passed over for the last service that is left', () => {
    const touchpoints = selected('sms', ['sms-1', 'gone']);
    expect(chooseCarrier(touchpoints, byAgent([sms, otherSms]))?.id).toBe('sms-1');
  });

  test('the only service of a touchpoint carries, and one of two unused services does not', () => {
    expect(chooseCarrier(selected('sms'), byAgent([sms, telegram]))?.id).toBe('sms-1');
    expect(chooseCarrier(selected('sms'), byAgent([sms, otherSms]))).toBeUndefined();
  });

  test('a named touchpoint counts more than the selected touchpoint', () => {
    const message = byAgent([sms, telegram], { named: true }, { touchpoint: 'telegram' });
    expect(chooseCarrier(selected('sms', ['sms-1']), message)?.id).toBe('tg-1');
  });

  test('a named service counts more than touchpoints, and a text that names no channel carries nothing', () => {
    const message = byAgent([sms, telegram], {}, { service: 'tg-1' });
    expect(chooseCarrier(selected('sms', ['sms-1']), message)?.id).toBe('tg-1');
    expect(chooseCarrier(selected('sms'), byAgent([sms], {}, { service: 'a mirror' }))).toBeUndefined();
  });

  test('a message stays on the chat page if web is selected or named, or nothing is selected', () => {
    expect(chooseCarrier(selected('web'), byAgent([sms]))).toBeUndefined();
    expect(chooseCarrier({}, byAgent([sms]))).toBeUndefined();
    const web = byAgent([sms], { named: true }, { touchpoint: 'web' });
    expect(chooseCarrier(selected('sms'), web)).toBeUndefined();
  });

  test.each([
    ['on the back channel', { isBackchannel: true }],
    ['of the contact', { role: 'contact' }],
    ['of the system', { role: 'system' }],
    ['of type mention', { type: 'mention' }],
  ])('a message %s is not carried', (_, fields) => {
    expect(chooseCarrier(selected('sms'), byAgent([sms], {}, fields))).toBeUndefined();
  });

  test.each([
    ['no_address', { address: undefined }],
    ['opted_out', { barred: 'opted_out' }],
    ['unreachable', { barred: 'unreachable' }],
  ] as const)('a message to a contact that cannot be sent to is refused with %s', (code, facts) => {
    const carrier = { ...sms, ...facts };
    expect(catchError(() => assertCarriable(carrier, byAgent([carrier])))).toMatchObject({ code });
  });

  test('a service with another touchpoint than the named touchpoint is refused', () => {
    const message = byAgent([sms], { named: true }, { service: 'sms-1', touchpoint: 'telegram' });
    expect(catchError(() => assertCarriable(sms, message))).toMatchObject({ code: 'unprocessable' });
  });
});

describe('a carried message in a conversation', () => {
  const carriers = (services: ChannelFacts[]) => ({ named: true, services });
  const fromContact = {
    ...draft(contact, { role: 'contact', touchpoint: 'sms', service: 'sms-1' }),
    facts: { carriers: carriers([sms]) },
  };

  test('the reply to a message from a channel is queued for its service, and the result shows the fields', () => {
    const { posted, changes } = postAll(conversation(), agent, [fromContact, byAgent([sms, otherSms])]);
    const fields = { service: 'sms-1', serviceType: 'api', touchpoint: 'sms' };
    const delivery = { status: 'queued', service: 'sms-1' };
    expect(changes.at(-1)).toMatchObject({ message: { ...fields, delivery } });
    expect(posted.at(-1)?.carried).toMatchObject({ ...fields, delivery });
  });

  test('the last channel that was used is the last service of its touchpoint', () => {
    const second = {
      ...draft(contact, { role: 'contact', touchpoint: 'sms', service: 'sms-2' }),
      facts: { carriers: carriers([otherSms]) },
    };
    const again = { ...fromContact, id: 'again' };
    const { state } = postAll(conversation(), agent, [fromContact, second, again]);
    expect(state.touchpoints['sms']).toEqual({ services: ['sms-2', 'sms-1'], selected: true });
  });
});
