import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEmailParams, parseSmtpUrl } from '../../../../domain/channels/email/account.ts';
import { composeMail, withLinks } from '../../../../domain/channels/email/compose.ts';
import { judgeSmtp } from '../../../../domain/channels/email/smtp-outcome.ts';
import { buildThread, parseMessageId } from '../../../../domain/channels/email/thread.ts';

/** Section 15.10 of the specification. */
describe('a mail that the SMTP server did not take', () => {
  test.each([
    ['a wrong password', { step: 'auth', replyCode: 535, text: '535 5.7.8 no' }, { is: 'broken' }],
    ['a login that needs time', { step: 'auth', replyCode: 454, text: '454 4.7.0 later' }, { is: 'retry' }],
    ['a login method that nobody knows', { step: 'auth', text: 'Unknown method' }, { is: 'broken' }],
    [
      'a server that wants a login',
      { step: 'sender', replyCode: 530, text: '530 login first' },
      { is: 'broken' },
    ],
    [
      'a sender that is not allowed',
      { step: 'sender', replyCode: 553, text: '553 5.7.1 not owned' },
      { is: 'broken' },
    ],
    [
      'a mail that is too large by its announced size',
      { step: 'sender', replyCode: 552, text: '552 5.3.4 too big' },
      { is: 'refused', code: '5.3.4' },
    ],
    [
      'a limit that the client has read',
      { step: 'content', text: 'larger' },
      { is: 'refused', code: 'too_large' },
    ],
    [
      'an unknown user',
      { step: 'recipient', replyCode: 550, text: '550 5.1.1 <a@b.c>: unknown' },
      { is: 'refused', code: '5.1.1', bar: 'unreachable' },
    ],
    [
      'an unknown user without a status code',
      { step: 'recipient', replyCode: 550, text: '550 No such user here' },
      { is: 'refused', code: '550', bar: 'unreachable' },
    ],
    [
      'a policy of the receiver',
      { step: 'recipient', replyCode: 550, text: '550 5.7.1 blocked' },
      { is: 'refused', code: '5.7.1', bar: undefined },
    ],
    [
      'a filter for spam',
      { step: 'content', replyCode: 554, text: '554 5.7.1 spam' },
      { is: 'refused', bar: undefined },
    ],
    ['greylisting', { step: 'recipient', replyCode: 450, text: '450 4.2.0 Greylisted' }, { is: 'retry' }],
    ['a full mailbox', { step: 'recipient', replyCode: 452, text: '452 4.2.2 over quota' }, { is: 'retry' }],
    [
      'a rate limit',
      { step: 'recipient', replyCode: 450, text: '450 4.7.1 too many messages' },
      { is: 'throttled', afterMs: 60_000 },
    ],
    [
      'a wrong order of commands',
      { step: 'content', replyCode: 503, text: '503 RCPT first' },
      { is: 'retry' },
    ],
    [
      'a server that closes at once',
      { step: 'connection', replyCode: 554, text: '554 no service' },
      { is: 'retry' },
    ],
    ['no connection', { step: 'connection', text: 'ECONNREFUSED' }, { is: 'retry' }],
    ['a reply that is lost', { step: 'connection', text: 'closed', isUncertain: true }, { is: 'uncertain' }],
  ] as const)('%s has its own outcome', (_, failure, outcome) => {
    expect(judgeSmtp(failure)).toMatchObject(outcome);
  });

  test('every reply has an outcome with a short reason in one line', () => {
    const steps = fc.constantFrom('connection', 'auth', 'sender', 'recipient', 'content' as const);
    const failure = fc.record({
      step: steps,
      replyCode: fc.integer({ min: 200, max: 599 }),
      text: fc.string(),
    });
    fc.assert(
      fc.property(failure, (one) => {
        const judged = judgeSmtp(one);
        expect(judged).toHaveProperty('reason', expect.stringMatching(/^[^\r\n]{1,600}$/));
      }),
    );
  });
});

const THREAD = {
  ...{ message: 'm9', root: '<c1@example.com>', address: 'support@example.com' },
  formatId: (message: string) => `<${message}@example.com>`,
};
const contact = (messageId: unknown, subject?: unknown) => ({
  id: 'x',
  role: 'contact' as const,
  meta: { email: { messageId, subject } },
});

describe('the thread of a mail', () => {
  test('the first mail of a conversation begins a thread with its name as subject', () => {
    expect(buildThread({ ...THREAD, conversationName: ' Order\n17 ' }, [])).toEqual({
      messageId: '<m9@example.com>',
      inReplyTo: undefined,
      references: ['<c1@example.com>'],
      subject: 'Order 17',
    });
    expect(buildThread({ ...THREAD, fromName: 'Ada Ltd' }, []).subject).toBe('Message from Ada Ltd');
    expect(buildThread(THREAD, []).subject).toBe('Message from support@example.com');
  });

  test('a reply names the mails before it, and keeps the subject of the contact', () => {
    const earlier = [
      contact('<a@x>', 'Broken lamp'),
      { id: 'm8', role: 'agent' as const },
      contact('b@x', 'AW: Broken lamp'),
    ];
    expect(buildThread(THREAD, earlier)).toEqual({
      messageId: '<m9@example.com>',
      inReplyTo: '<b@x>',
      references: ['<c1@example.com>', '<a@x>', '<m8@example.com>', '<b@x>'],
      subject: 'AW: Broken lamp',
    });
    expect(buildThread(THREAD, earlier.slice(0, 2)).subject).toBe('Re: Broken lamp');
  });

  test('meta without a mail is left out', () => {
    const odd = [
      contact(7, 8),
      contact('<a b@x>', '\u0000'),
      { id: 'y', role: 'contact' as const, meta: { email: 'x' } },
    ];
    expect(buildThread(THREAD, odd)).toMatchObject({
      inReplyTo: undefined,
      subject: 'Message from support@example.com',
    });
  });

  test('headers stay in one line and in bounds with any meta of the contact', () => {
    const mails = fc.array(fc.tuple(fc.anything(), fc.oneof(fc.string(), fc.anything())), { maxLength: 40 });
    fc.assert(
      fc.property(mails, (all) => {
        const { references, subject } = buildThread(
          THREAD,
          all.map(([id, text]) => contact(id, text)),
        );
        expect(references.length).toBeLessThanOrEqual(20);
        expect(Array.from(subject).length).toBeLessThanOrEqual(210);
        expect([...references, subject].join('')).not.toMatch(/[\r\n\0]/);
      }),
    );
  });

  test.each([
    ['<a.b@c>', '<a.b@c>'],
    [' a@c ', '<a@c>'],
    ['<a@c> <b@c>', undefined],
    ['a', undefined],
    ['<a@c\r\nBcc: x>', undefined],
    [`<${'a'.repeat(300)}@c>`, undefined],
  ])('the Message-ID %j is read as %j', (given, expected) => {
    expect(parseMessageId(given)).toBe(expected);
  });
});

describe('the content of a mail', () => {
  test('plain text keeps its lines, and addresses become links', () => {
    const { text, html, files } = composeMail({
      text: 'Hi <Ada> & "co"\nhttps://a.example/?b=1&c=2',
      contentType: 'text/plain',
    });
    expect(text).toBe('Hi <Ada> & "co"\nhttps://a.example/?b=1&c=2');
    const address = 'https://a.example/?b=1&amp;c=2';
    expect(html).toBe(`<p>Hi &lt;Ada&gt; &amp; &quot;co&quot;<br>\n<a href="${address}">${address}</a></p>`);
    expect(files).toEqual([]);
  });

  test('HTML is sent unchanged, with buttons as numbered lines below it', () => {
    const actions = [{ type: 'reply' as const, text: 'Yes', payload: 'y' }];
    const { text, html } = composeMail({ text: '<b>Now?</b>', contentType: 'text/html', actions });
    expect(text).toBe('Now?\n1. Yes');
    expect(html).toBe('<b>Now?</b>\n<p>1. Yes</p>');
  });

  test('a file is in neither text, and a link takes its place', () => {
    const composed = composeMail({ text: 'https://a.example/f/1', contentType: 'image/png' });
    expect(composed).toEqual({ text: '', html: '', files: ['https://a.example/f/1'] });
    expect(withLinks(composed, ['a.png: https://a.example/f/1'])).toEqual({
      text: 'a.png: https://a.example/f/1',
      html: '<p>a.png: <a href="https://a.example/f/1">https://a.example/f/1</a></p>',
    });
  });

  test('no text of a message becomes a tag', () => {
    fc.assert(
      fc.property(fc.string(), (given) => {
        const { html } = composeMail({ text: given, contentType: 'text/plain' });
        expect(html.replace(/<\/?p>|<br>|<a href="[^"<>]*">|<\/a>/g, '')).not.toMatch(/[<>"]/);
      }),
    );
  });
});

describe('the params of a channel of type email', () => {
  const PARAMS = {
    url: 'smtps://smtp.example.com',
    address: ' Support@Example.com',
    username: 'u',
    password: ' p ',
  };

  test('the params are normalized, and the password is kept unchanged', () => {
    expect(parseEmailParams(PARAMS)).toEqual({
      params: { url: 'smtps://smtp.example.com:465', address: 'support@example.com', username: 'u' },
      secretName: 'password',
      secret: ' p ',
      others: {},
    });
  });

  const CLIENT = { clientId: 'c', tokenUrl: 'https://login.example.com/token', clientSecret: 's' };

  test('the params of a login by OAuth 2 have a client in place of the password', () => {
    const { password: _, ...params } = PARAMS;
    const parsed = parseEmailParams({ ...params, ...CLIENT, refreshToken: 'r', scope: ' mail ' });
    expect(parsed).toMatchObject({
      params: { clientId: 'c', tokenUrl: 'https://login.example.com/token', scope: 'mail' },
      secretName: 'clientSecret',
      secret: 's',
      others: { refreshToken: 'r' },
    });
  });

  test.each([
    ['params.password', { ...CLIENT, password: 'p' }],
    ['params.tokenUrl', { clientId: 'c' }],
    ['params.clientId', { tokenUrl: 'https://login.example.com/token' }],
    ['params.tokenUrl', { ...CLIENT, tokenUrl: 'http://login.example.com/token' }],
    ['params.tokenUrl', { ...CLIENT, tokenUrl: 'https://user@login.example.com/token' }],
    ['params.tokenUrl', { ...CLIENT, tokenUrl: 'token' }],
    ['params.clientSecret', { password: 'p', clientSecret: 's' }],
    ['params.refreshToken', { password: 'p', refreshToken: 'r' }],
    ['params.refreshToken', { ...CLIENT, refreshToken: 'a\nb' }],
    ['params.scope', { password: 'p', scope: 'mail' }],
  ])('the wrong %s of a login by OAuth 2 is refused: %j', (path, given) => {
    const { password: _, ...params } = PARAMS;
    expect(() => parseEmailParams({ ...params, ...given })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path })] }),
    );
  });

  test.each([
    ['smtp://Smtp.example.com', { host: 'smtp.example.com', port: 587, isSecure: false, isLocal: false }],
    ['smtp://127.0.0.1:25/', { host: '127.0.0.1', port: 25, isSecure: false, isLocal: true }],
    ['smtps://[::1]:4650', { host: '::1', port: 4650, isSecure: true, isLocal: true }],
    [
      'smtp://127.0.0.1.example.com',
      { host: '127.0.0.1.example.com', port: 587, isSecure: false, isLocal: false },
    ],
    ['https://smtp.example.com', null],
    ['smtp://user:password@smtp.example.com', null],
    ['smtp://smtp.example.com/path', null],
    ['smtp://', null],
    ['smtp://a:0', null],
    ['smtp.example.com', null],
    ['smtp:smtp.example.com', null],
  ])('the address %s of a server is read', (url, expected) => {
    expect(parseSmtpUrl(url)).toEqual(expected);
  });
});
