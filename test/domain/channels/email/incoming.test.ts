import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAutomatic } from '../../../../domain/channels/email/automatic.ts';
import { isDeliveryReport, readBounce } from '../../../../domain/channels/email/bounce.ts';
import {
  findLastReply,
  isRepeated,
  isRobotLoop,
  placeMail,
} from '../../../../domain/channels/email/placement.ts';
import {
  formatMailAddress,
  formatMessageId,
  parseMailAddress,
  readMessageId,
} from '../../../../domain/channels/email/proof.ts';
import { createEncryption } from '../../../../application/posting/encryption.ts';

const { sign } = createEncryption('a secret of this test');
const { sign: otherSign } = createEncryption('the secret of another deployment');
const CONVERSATION = '65f2a1c09b1d8e4f7a3c5d01';
const MESSAGE = '65f2a1c09b1d8e4f7a3c5d02';

/** Section 15.11 of the specification. */
describe('a signed address', () => {
  const place = { domain: 'in.example.com', sign };

  test('a signed address is read in any case, and its local part has at most 64 characters', () => {
    for (const kind of ['reply', 'channel'] as const) {
      const address = formatMailAddress({ kind, id: CONVERSATION }, place);
      expect(address).toBe(address.toLowerCase());
      expect(address.indexOf('@')).toBeLessThanOrEqual(64);
      for (const given of [address, address.toUpperCase()]) {
        expect(parseMailAddress(given, place)).toEqual({ kind, id: CONVERSATION });
      }
    }
  });

  test('a signed address is refused with any other character, kind, domain or secret', () => {
    const address = formatMailAddress({ kind: 'reply', id: CONVERSATION }, place);
    fc.assert(
      fc.property(
        fc.nat(address.length - 1),
        fc.constantFrom('a', 'b', 'c', 'd', '2', '3', '7', '@', '.', '+'),
        (at, character) => {
          const changed = address.slice(0, at) + character + address.slice(at + 1);
          fc.pre(changed !== address);
          expect(parseMailAddress(changed, place)).toBeNull();
        },
      ),
    );
    expect(parseMailAddress(address.replace('reply', 'channel'), place)).toBeNull();
    expect(parseMailAddress(address, { ...place, sign: otherSign })).toBeNull();
  });
});

describe('a signed Message-ID', () => {
  const id = formatMessageId({ conversation: CONVERSATION, message: MESSAGE }, 'example.com', sign);

  test('a signed Message-ID names the conversation and the message', () => {
    expect(readMessageId(id, 'example.com', sign)).toEqual({ conversation: CONVERSATION, message: MESSAGE });
  });

  test('a signed Message-ID is forged with another signature or another conversation, and unknown with another form', () => {
    expect(readMessageId(id, 'example.com', otherSign)).toBe('forged');
    expect(readMessageId(id.replace(CONVERSATION, MESSAGE), 'example.com', sign)).toBe('forged');
    for (const other of [
      '',
      '<a@example.com>',
      `<${CONVERSATION}@example.com>`,
      id.replace('example.com', 'a.com'),
    ]) {
      expect(readMessageId(other, 'example.com', sign)).toBeNull();
    }
  });
});

describe('an automatic mail', () => {
  const people = { from: 'ada@example.com', sender: 'ada@example.com', own: 'support@example.com' };

  test.each([
    [{ 'auto-submitted': 'auto-replied' }, {}, true],
    [{ 'auto-submitted': 'auto-generated; x=1' }, {}, true],
    [{ 'auto-submitted': 'no' }, {}, false],
    [{ precedence: 'Bulk' }, {}, true],
    [{ precedence: 'first-class' }, {}, false],
    [{ 'x-auto-response-suppress': 'All' }, {}, true],
    [{ 'x-autoreply': 'yes' }, {}, true],
    [{ 'list-id': '<a.example.com>' }, {}, true],
    [{}, { sender: '' }, true],
    [{}, { from: 'MAILER-DAEMON@example.com' }, true],
    [{}, { from: 'no-reply@example.com' }, true],
    [{}, { from: 'noreply+1@example.com' }, true],
    [{}, { from: 'noreen@example.com' }, false],
    [{}, { from: 'support@example.com' }, true],
    [{}, {}, false],
  ])('a mail with the headers %j and %j is automatic: %s', (headers, more, expected) => {
    expect(isAutomatic(headers, { ...people, ...more })).toBe(expected);
  });
});

describe('a report of a mail server', () => {
  const id = formatMessageId({ conversation: CONVERSATION, message: MESSAGE }, 'example.com', sign);
  const report = (messageId = id, { action = 'failed', code = '5.1.1' } = {}) =>
    [
      'From: MAILER-DAEMON@mail.example.net',
      'Content-Type: multipart/report;',
      '\treport-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mail.example.net',
      '',
      'Final-Recipient: rfc822; ada@example.net',
      `Action: ${action}`,
      `Status: ${code}`,
      'Diagnostic-Code: smtp; 550 5.1.1 <ada@example.net>:',
      '    Recipient address rejected: User unknown',
      '',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      '--b--',
    ].join('\r\n');

  test('a report names the bounced message, with the code and the words of the server', () => {
    expect(isDeliveryReport(report())).toBe(true);
    expect(readBounce(report(), 'example.com', sign)).toEqual({
      ...{ conversation: CONVERSATION, message: MESSAGE, action: 'failed', code: '5.1.1' },
      reason: '550 5.1.1 <ada@example.net>: Recipient address rejected: User unknown',
    });
    expect(readBounce(report(id, { action: 'delayed', code: '4.4.1' }), 'example.com', sign)).toMatchObject({
      ...{ action: 'delayed', code: '4.4.1' },
    });
  });

  test('a report about a mail with a forged Message-ID is about no message', () => {
    const forged = formatMessageId(
      { conversation: CONVERSATION, message: MESSAGE },
      'example.com',
      otherSign,
    );
    expect(readBounce(report(forged), 'example.com', sign)).toBeNull();
    expect(readBounce(report('<other@example.com>'), 'example.com', sign)).toBeNull();
  });

  test('a mail of a person who quotes a report is not a report', () => {
    expect(isDeliveryReport(`Content-Type: text/plain\r\n\r\n${report()}`)).toBe(false);
    expect(isDeliveryReport(report().replace('delivery-status;', 'feedback-report;'))).toBe(false);
  });
});

describe('the place of a mail', () => {
  const facts = { isContact: false, isAutomatic: false, isForged: false, recent: 0, isLoop: false };

  test.each([
    ['a stranger', {}, { as: 'contact' }],
    ['a contact', { known: 'k' }, { as: 'contact' }],
    ['a contact who replies', { named: 'n', isContact: true, known: 'n' }, { as: 'contact' }],
    ['another person who replies', { named: 'n' }, { as: 'note', conversation: 'n' }],
    ['another contact who replies', { named: 'n', known: 'k' }, { as: 'note', conversation: 'n' }],
    [
      'a robot that replies',
      { named: 'n', isContact: true, isAutomatic: true },
      { as: 'note', conversation: 'n' },
    ],
    ['a robot that is known', { known: 'k', isAutomatic: true }, { as: 'note', conversation: 'k' }],
    ['a robot that does not say so', { known: 'k', recent: 20 }, { as: 'note', conversation: 'k' }],
    ['two robots', { known: 'k', isLoop: true }, { as: 'note', conversation: 'k' }],
    ['an unknown robot', { isAutomatic: true }, { as: 'note', conversation: undefined }],
    ['a forged reply of a contact', { known: 'k', isForged: true }, { as: 'note', conversation: 'k' }],
    [
      'a reply that is forged in part',
      { named: 'n', isContact: true, known: 'k', isForged: true },
      { as: 'note', conversation: 'k' },
    ],
  ])('the place of a mail of %s is decided', (_, more, expected) => {
    expect(placeMail({ ...facts, ...more })).toEqual(expected);
  });

  const ROLES = { a: 'agent', b: 'bot', c: 'contact' } as Record<string, string>;
  /** Reads the seconds of the mails of the contact (c), of a bot (b) and of an agent (a). */
  const toExchanged = (mails: readonly string[]) =>
    mails.map((mail) => ({ id: mail, role: ROLES[mail[0]!]!, at: Number(mail.slice(1)) * 1_000 }));

  test.each([
    [['c0', 'b1', 'c5', 'b6'], 10, true],
    [['c0', 'b1', 'c30', 'b31'], 60, true],
    [['c0', 'b1', 'b2', 'c5', 'c6', 'b7', 'b8'], 10, true],
    [['c0', 'b1', 'c31', 'b32'], 33, false],
    [['c0', 'b1', 'c5', 'b6'], 36, false],
    [['c0', 'b1', 'c5', 'a6'], 10, false],
    [['c0', 'a1', 'c5', 'b6'], 10, false],
    [['c0', 'b1', 'b2'], 3, false],
    [['c0', 'b1'], 2, false],
    [[], 0, false],
  ])('after the mails %j, a mail at second %i continues a loop of two robots: %s', (mails, now, expected) => {
    expect(isRobotLoop(toExchanged(mails), now * 1_000)).toBe(expected);
  });

  /** A mail of the contact every minute, and the reply to it, from second 0. */
  const talk = (replies: number, role = 'b') =>
    Array.from({ length: replies + 1 }, (_, at) => [`c${at * 60}`, `${role}${at * 60 + 1}`]).flat();

  test.each([
    ['ten replies to a bot in an hour', talk(10), 660, true],
    ['nine replies to a bot in an hour', talk(9), 600, false],
    ['ten replies to a bot, the first of them an hour ago', talk(10), 3_661, false],
    ['ten replies to an agent', talk(10, 'a'), 660, false],
    ['five replies to a bot, an agent and five more', [...talk(5), 'a400', ...talk(5)], 760, false],
    ['ten mails in a row', Array.from({ length: 10 }, (_, at) => `c${at}`), 11, false],
  ])('after %s, a mail continues a loop of two slow robots: %s', (_, mails, now, expected) => {
    expect(isRobotLoop(toExchanged(mails), now * 1_000)).toBe(expected);
  });

  test.each([
    [['c0', 'b100', 'c200', 'b300'], 400, ['c200']],
    [['c0', 'b100', 'c200', 'c201', 'b300', 'b301'], 400, ['c200', 'c201']],
    [['c0', 'b100'], 200, []],
    [['c0', 'b100', 'c200'], 300, []],
    [['c0', 'a100', 'c200', 'b300'], 400, []],
    [['c0', 'b100', 'c200', 'a300'], 400, []],
    [['c0', 'b100', 'c200', 'b300'], 200 + 24 * 3_600, []],
  ])('after the mails %j, a mail at second %i may repeat %j', (mails, now, expected) => {
    expect(findLastReply(toExchanged(mails), now * 1_000)).toEqual(expected);
  });

  test.each([
    ['I am out of the office until Monday.', 'I am out of the  office\nuntil Monday. ', true],
    ['I am out of the office until Monday.', 'I am out of the office until Friday.', false],
    ['Yes, please', 'Yes, please', false],
    ['1', '1', false],
    ['', '', false],
  ])('the mail %j repeats the mail %j: %s', (text, earlier, expected) => {
    expect(isRepeated(text, ['other', earlier])).toBe(expected);
    expect(isRepeated(text, [])).toBe(false);
  });
});
