import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAutomatic } from '../../../../domain/channels/email/automatic.ts';
import { isDeliveryReport, readBounce } from '../../../../domain/channels/email/bounce.ts';
import { isRobotLoop, placeMail } from '../../../../domain/channels/email/placement.ts';
import {
  formatMailAddress,
  formatMessageId,
  parseMailAddress,
  readMessageId,
} from '../../../../domain/channels/email/proof.ts';
import { cutQuote } from '../../../../domain/channels/email/quoted.ts';
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

const QUOTE = '> Is the lamp red?\n>\n> Bob';

describe('the quoted mail in a reply', () => {
  test.each([
    [
      'Gmail in English',
      `Yes, red.\n\nOn Mon, Nov 3, 2025 at 10:00 AM Bob <bob@example.com> wrote:\n\n${QUOTE}`,
    ],
    [
      'Gmail in English, wrapped',
      `Yes, red.\n\nOn Mon, Nov 3, 2025 at 10:00 AM Bob Example Longname\n<bob@example.com> wrote:\n\n${QUOTE}`,
    ],
    ['Gmail in Dutch', `Yes, red.\n\nOp ma 3 nov 2025 om 10:00 schreef Bob <bob@example.com>:\n\n${QUOTE}`],
    [
      'Gmail in German',
      `Yes, red.\n\nAm Mo., 3. Nov. 2025 um 10:00 Uhr schrieb Bob <bob@example.com>:\n\n${QUOTE}`,
    ],
    [
      'Gmail in French',
      `Yes, red.\n\nLe lun. 3 nov. 2025 à 10:00, Bob <bob@example.com> a écrit :\n\n${QUOTE}`,
    ],
    [
      'Gmail in Spanish',
      `Yes, red.\n\nEl lun, 3 nov 2025 a las 10:00, Bob (<bob@example.com>) escribió:\n\n${QUOTE}`,
    ],
    [
      'Apple Mail',
      `Yes, red.\n\n> On 3 Nov 2025, at 10:00, Bob <bob@example.com> wrote:\n> \n> Is the lamp red?`,
    ],
    [
      'Apple Mail without a mark',
      `Yes, red.\n\nOn 3 Nov 2025, at 10:00, Bob <bob@example.com> wrote:\n\nIs the lamp red?`,
    ],
    ['Thunderbird', `Yes, red.\n\nOn 11/3/25 10:00, Bob wrote:\n${QUOTE}`],
    ['Thunderbird in German', `Yes, red.\n\nAm 03.11.25 um 10:00 schrieb Bob:\n${QUOTE}`],
    ['mutt', `Yes, red.\n\nOn Mon, Nov 03, 2025 at 10:00:00AM +0100, Bob wrote:\n${QUOTE}`],
    [
      'Outlook in English',
      'Yes, red.\n\n________________________________\nFrom: Bob <bob@example.com>\nSent: Monday, November 3, 2025 10:00\nTo: Ada\nSubject: Lamp\n\nIs the lamp red?',
    ],
    [
      'Outlook in Dutch',
      'Yes, red.\n\nVan: Bob <bob@example.com>\nVerzonden: maandag 3 november 2025 10:00\nAan: Ada\nOnderwerp: Lamp\n\nIs the lamp red?',
    ],
    [
      'Outlook in German',
      'Yes, red.\n\nVon: Bob <bob@example.com>\nGesendet: Montag, 3. November 2025 10:00\nAn: Ada\nBetreff: Lampe\n\nIs the lamp red?',
    ],
    [
      'Outlook in French',
      'Yes, red.\n\nDe : Bob <bob@example.com>\nEnvoyé : lundi 3 novembre 2025 10:00\nÀ : Ada\nObjet : Lampe\n\nIs the lamp red?',
    ],
    [
      'Outlook in Spanish',
      'Yes, red.\n\nDe: Bob <bob@example.com>\nEnviado el: lunes, 3 de noviembre de 2025 10:00\nPara: Ada\nAsunto: Lámpara\n\nIs the lamp red?',
    ],
    ['an old Outlook', 'Yes, red.\n\n-----Original Message-----\nFrom: Bob\n\nIs the lamp red?'],
    ['a quote alone', `Yes, red.\n${QUOTE}`],
    ['a signature', 'Yes, red.\n\n-- \nAda\nExample Ltd'],
  ])('the quote of %s is cut', (_, mail) => {
    for (const text of [mail, mail.replaceAll('\n', '\r\n')]) {
      expect(cutQuote(text)).toEqual({ text: 'Yes, red.', isCut: true });
    }
  });

  test.each([
    ['an honest sentence', 'From: here to there.\nThat is the way.'],
    ['a sentence that ends as an introduction', 'On Monday I wrote:\nthe lamp is red.'],
    ['a list of headers', 'To: do\n\nFrom: scratch'],
    ['no text', ''],
  ])('no quote is found in %s', (_, mail) => {
    expect(cutQuote(mail)).toEqual({ text: mail, isCut: false });
  });

  test('replies between the lines of a quote are kept with the quote', () => {
    const mail = `On 11/3/25 10:00, Bob wrote:\n> Is the lamp red?\n\nYes.\n\n> Is it new?\n\nNo.`;
    expect(cutQuote(mail)).toEqual({ text: mail, isCut: false });
  });

  test('an answer below the quote is kept', () => {
    const mail = `On 11/3/25 10:00, Bob wrote:\n${QUOTE}\n\nYes, red.`;
    expect(cutQuote(mail).text).toBe(mail);
  });

  test('a mail that is only a quote is kept', () => {
    expect(cutQuote(QUOTE)).toEqual({ text: QUOTE, isCut: false });
  });

  test('blank lines are folded, and nothing is added to any text', () => {
    expect(cutQuote('a\n\n\n\n\nb').text).toBe('a\n\nb');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '> b', '', 'On 1/1/2025 10:00 B wrote:', '-- ', 'From: x', 'To: y'), {
          maxLength: 30,
        }),
        (lines) => {
          const { text } = cutQuote(lines.join('\n'));
          const words = text.split('\n').filter((line) => line !== '');
          expect(
            lines
              .map((line) => line.trimEnd())
              .filter((line) => line !== '')
              .slice(0, words.length),
          ).toEqual(words);
        },
      ),
    );
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

  /** The seconds of the mails of the contact (c), of a bot (b) and of an agent (a). */
  test.each([
    [['c0', 'b1', 'c5', 'b6'], 10, true],
    [['c0', 'b1', 'c30', 'b31'], 60, true],
    [['c0', 'b1', 'c31', 'b32'], 33, false],
    [['c0', 'b1', 'c5', 'b6'], 36, false],
    [['c0', 'b1', 'c5', 'a6'], 10, false],
    [['c0', 'a1', 'c5', 'b6'], 10, false],
    [['c0', 'b1', 'b2'], 3, false],
    [['c0', 'b1'], 2, false],
    [[], 0, false],
  ])('after the mails %j, a mail at second %i continues a loop of two robots: %s', (mails, now, expected) => {
    const roles = { a: 'agent', b: 'bot', c: 'contact' } as Record<string, string>;
    const exchanged = mails.map((mail) => ({ role: roles[mail[0]!]!, at: Number(mail.slice(1)) * 1_000 }));
    expect(isRobotLoop(exchanged, now * 1_000)).toBe(expected);
  });
});
