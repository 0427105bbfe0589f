import { expect, test } from 'vitest';
import { findProvider } from '../../../deliveries/channels/providers.ts';

const secret = 'the auth token';
const AUTHORIZATION = `Basic ${Buffer.from(`AC1:${secret}`).toString('base64')}`;

function authorize(address: string, url?: string): string | undefined {
  const params = { accountSid: 'AC1', ...(url === undefined ? {} : { url }) };
  return findProvider('twilio')?.posts?.authorizeFile({ params, secret }, new URL(address));
}

/** Spec 15.8. */
test.each([
  ['https://api.twilio.com/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1'],
  ['https://mcs.us1.twilio.com/v1/Services/IS1/Media/ME1'],
])('the auth token of a channel is sent to %s', (address) => {
  expect(authorize(address)).toBe(AUTHORIZATION);
});

test('the auth token of a channel is sent to the API that the channel names, by its scheme and port', () => {
  const api = 'http://127.0.0.1:4010';
  expect(authorize(`${api}/Media/ME1`, api)).toBe(AUTHORIZATION);
  expect(authorize('http://127.0.0.1:4011/Media/ME1', api)).toBeUndefined();
  expect(authorize('https://127.0.0.1:4010/Media/ME1', api)).toBeUndefined();
});

test.each([
  ['https://media.twiliocdn.com/AC1/1'],
  ['https://s3-external-1.amazonaws.com/media.twiliocdn.com/AC1/1'],
  ['https://twilio.com.example.com/AC1'],
  ['https://nottwilio.com/AC1'],
  ['https://example.com/?.twilio.com'],
  ['https://api.twilio.com@example.com/'],
  ['http://api.twilio.com/Media/ME1'],
  ['http://mcs.us1.twilio.com/Media/ME1'],
])('the auth token of a channel is not sent to %s', (address) => {
  expect(authorize(address)).toBeUndefined();
});
