import { describe, expect, test } from 'vitest';
import { readOptOut } from '../../../domain/channels/opt-out.ts';
import { judgeAnswer, parseStatus } from '../../../domain/channels/twilio.ts';

/** Section 15.9 of the specification. */
describe('a response of Twilio', () => {
  test.each([
    ['a message that was taken', { status: 201, sid: 'SM1' }, { is: 'sent', externalId: 'SM1' }],
    ['no response', {}, { is: 'uncertain' }],
    ['a success without an id', { status: 200 }, { is: 'uncertain' }],
    ['an error of the server', { status: 503 }, { is: 'uncertain' }],
    ['an error of the server with a code', { status: 500, code: 20500 }, { is: 'uncertain' }],
    ['too many requests', { status: 429, code: 20429 }, { is: 'throttled', afterMs: 1_000 }],
    ['a wait that is named', { status: 429, retryAfterSeconds: 40 }, { is: 'throttled', afterMs: 40_000 }],
    ['a full queue', { status: 400, code: 21611 }, { is: 'throttled', afterMs: 60_000 }],
    [
      'a recipient who opted out',
      { status: 400, code: 21610 },
      { is: 'refused', code: '21610', bar: 'opted_out' },
    ],
    ['an invalid number', { status: 400, code: 21211 }, { is: 'refused', code: '21211', bar: 'unreachable' }],
    ['a landline', { status: 400, code: 21614 }, { is: 'refused', code: '21614', bar: 'unreachable' }],
    ['a region that is not enabled', { status: 403, code: 21408 }, { is: 'refused', code: '21408' }],
    ['an unknown error of the message', { status: 400, code: 21999 }, { is: 'refused', code: '21999' }],
    ['a wrong token', { status: 401, code: 20003 }, { is: 'broken' }],
    ['a wrong token without a code', { status: 401 }, { is: 'broken' }],
    ['a suspended account', { status: 403, code: 20005 }, { is: 'broken' }],
    ['a number that the account has lost', { status: 400, code: 21606 }, { is: 'broken' }],
    ['a page of a proxy', { status: 400 }, { is: 'retry' }],
    ['a redirect', { status: 302 }, { is: 'retry' }],
  ])('%s has its own outcome', (_, answer, outcome) => {
    expect(judgeAnswer(answer)).toMatchObject(outcome);
  });

  test('the outcome gives the reason of Twilio, else a reason by the code', () => {
    const message = "The 'To' number is not valid.";
    expect(judgeAnswer({ status: 400, code: 21211, message })).toMatchObject({ reason: message });
    const reason = expect.stringContaining('errors/21999');
    expect(judgeAnswer({ status: 400, code: 21999 })).toMatchObject({ reason });
  });
});

describe('a status callback of Twilio', () => {
  test.each([
    ['queued', 'sent'],
    ['sending', 'sent'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'read'],
  ])('%s is the receipt %s', (status, expected) => {
    expect(parseStatus(status, '')).toEqual({ status: expected });
  });

  test('undelivered and failed are failed receipts with code, reason and mark', () => {
    expect(parseStatus('undelivered', '30003')).toMatchObject({
      status: 'failed',
      error: { code: '30003', message: expect.stringContaining('switched off') },
      bar: undefined,
    });
    expect(parseStatus('failed', '30005')).toMatchObject({ bar: 'unreachable' });
    expect(parseStatus('failed', '21610')).toMatchObject({ bar: 'opted_out' });
    expect(parseStatus('failed', '')).toMatchObject({ error: { code: 'failed' } });
  });

  test.each(['received', 'receiving', '', 'constructor', 'DELIVERED'])(
    'the status %j has no receipt',
    (status) => {
      expect(parseStatus(status, '')).toBeNull();
    },
  );
});

describe('a message of one word', () => {
  test.each([
    ['STOP', true],
    [' stop. ', true],
    ['Arrêt', true],
    ['afmelden', true],
    ['START', false],
    ['unstop', false],
    ['yes', false],
    ['HELP', undefined],
    ['Please stop calling', undefined],
    ['', undefined],
  ])('%j opts out, in or neither', (text, expected) => {
    expect(readOptOut(text)).toBe(expected);
  });
});
