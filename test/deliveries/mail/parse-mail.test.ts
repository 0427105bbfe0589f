import { describe, expect, test } from 'vitest';
import { parseMail } from '../../../deliveries/mail/parse-mail.ts';

/** A word of each charset, as its bytes in hexadecimal. */
const CHARSETS: [string, string, string][] = [
  ['utf-8', 'Grüße – 你好 😀', '4772c3bcc39f6520e2809320e4bda0e5a5bd20f09f9880'],
  ['us-ascii', 'Hello', '48656c6c6f'],
  ['iso-8859-1', 'Grüße', '4772fcdf65'],
  ['iso-8859-2', 'Łódź', 'a3f364bc'],
  ['iso-8859-5', 'Привет', 'bfe0d8d2d5e2'],
  ['iso-8859-7', 'Γειά', 'c3e5e9dc'],
  ['iso-8859-9', 'İstanbul', 'dd7374616e62756c'],
  ['iso-8859-15', '5 €', '3520a4'],
  ['windows-1250', 'Łódź', 'a3f3649f'],
  ['windows-1251', 'Привет', 'cff0e8e2e5f2'],
  ['windows-1252', '“5 €”', '9335208094'],
  ['windows-1253', 'Γειά', 'c3e5e9dc'],
  ['koi8-r', 'Привет', 'f0d2c9d7c5d4'],
  ['gb2312', '你好', 'c4e3bac3'],
  ['gb18030', '你好', 'c4e3bac3'],
  ['big5', '你好', 'a741a66e'],
  ['shift_jis', 'こんにちは', '82b182f182c982bf82cd'],
  ['iso-2022-jp', 'こんにちは', '1b244224332473244b2441244f1b2842'],
  ['euc-kr', '안녕', 'bec8b3e7'],
];

describe('the parser of mail', () => {
  test.each(CHARSETS)('a mail in %s is read as %s', async (charset, text, bytes) => {
    const head = `From: a@b.example\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`;
    const mail = await parseMail(Buffer.concat([Buffer.from(head), Buffer.from(bytes, 'hex')]));
    expect(mail.text.trim()).toBe(text);
  });

  test('a mail in HTML alone is read as text, and its headers and files are found', async () => {
    const raw = [
      'From: =?utf-8?Q?Ad=C3=A1?= <ada@example.com>',
      'Subject: =?utf-8?B?w5xiZXI=?=',
      'Message-ID: <a@b>',
      'In-Reply-To: <x@y>',
      'References: <r1@y> <r2@y>',
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Hello <b>Bob</b></p><p>Two</p>',
      '--b',
      'Content-Type: application/pdf; name="a.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-1.4').toString('base64'),
      '--b--',
    ].join('\r\n');
    const mail = await parseMail(Buffer.from(raw));
    expect(mail).toMatchObject({
      from: { address: 'ada@example.com', name: 'Adá' },
      subject: 'Über',
      messageId: '<a@b>',
      references: ['<x@y>', '<r2@y>', '<r1@y>'],
      headers: { 'auto-submitted': 'auto-replied' },
      attachments: [{ name: 'a.pdf', type: 'application/pdf' }],
    });
    expect(mail.text.replace(/\s+/g, ' ').trim()).toBe('Hello Bob Two');
    expect(mail.report).toBeUndefined();
  });

  test.each([
    ['text/plain', 'See [cid:image001.png@01DA] below\r\n[cid:a@b]\r\n', 'See below'],
    ['text/plain', 'Send me the [cid: number] and [cid:]', 'Send me the [cid: number] and [cid:]'],
    ['text/html', '<p>See <img src="cid:a@b"> below</p>', 'See below'],
  ])('the marks of inline pictures are not in the text of a mail in %s', async (type, body, text) => {
    const head = `From: a@b.example\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n`;
    const mail = await parseMail(Buffer.from(`${head}${body}`));
    expect(mail.text.replace(/\s+/g, ' ').trim()).toBe(text);
  });
});
