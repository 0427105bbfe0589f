import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEmailParams, parseImapUrl } from '../../../../domain/channels/email/account.ts';
import {
  describeImapFailure,
  findWrongImapParam,
  isLastingFailure,
} from '../../../../domain/channels/email/imap-outcome.ts';
import type { ImapFailure } from '../../../../domain/channels/email/imap-outcome.ts';
import {
  planReading,
  readReturnPath,
  selectArrivedUids,
  selectNewUids,
} from '../../../../domain/channels/email/mailbox.ts';
import type { MailboxCursor } from '../../../../domain/channels/email/mailbox.ts';

const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * MINUTE_MS);
const CURSOR: MailboxCursor = { uidValidity: '7', lastUid: 40, startedAt: at(0), checkedAt: at(60) };

describe('which mails of a mailbox are read', () => {
  test('the first reading begins at the newest mail', () => {
    expect(planReading(null, { uidValidity: '7', newestUid: 40 })).toEqual({ is: 'start' });
  });

  test.each([
    [40, { is: 'rest' }],
    [0, { is: 'rest' }],
    [41, { is: 'continue', afterUid: 40 }],
    [90_000, { is: 'continue', afterUid: 40 }],
  ])('with the newest UID %i after UID 40, the plan is %j', (newestUid, plan) => {
    expect(planReading(CURSOR, { uidValidity: '7', newestUid })).toEqual(plan);
  });

  test('after another numbering, mails since five minutes before the last reading are read', () => {
    const state = { uidValidity: '8', newestUid: 3 };
    expect(planReading(CURSOR, state)).toEqual({ is: 'renumbered', since: at(55) });
    expect(planReading({ ...CURSOR, checkedAt: at(2) }, state)).toEqual({ is: 'renumbered', since: at(0) });
  });

  test('UIDs are read in order, once, and only above the cursor', () => {
    expect(selectNewUids([43, 41, 40, 41], 40)).toEqual([41, 43]);
    expect(selectNewUids([40], 40)).toEqual([]);
  });

  test('after another numbering, a mail without a date is read, too', () => {
    const mails = [{ uid: 9, receivedAt: at(54) }, { uid: 3, receivedAt: at(55) }, { uid: 2 }];
    expect(selectArrivedUids(mails, at(55))).toEqual([2, 3]);
  });

  test('any order of arrivals, removals, numberings and readings reads every new mail and no old mail', () => {
    const step = fc.constantFrom('arrive', 'arrive', 'remove', 'renumber', 'read', 'read');
    fc.assert(
      fc.property(fc.nat(3), fc.array(step, { maxLength: 40 }), (old, steps) => {
        const box = new Mailbox(old);
        for (const one of ['read', ...steps, 'read'] as const) box[one]();
        expect(new Set(box.taken)).toEqual(new Set(box.owed));
        if (!steps.includes('renumber')) expect(box.taken).toEqual(box.owed);
      }),
    );
  });
});

interface Mail {
  name: number;
  uid: number;
  receivedAt: Date;
}

/** A mailbox and its reader. Each step takes a minute. */
class Mailbox {
  /** Names of the mails that the reader took. */
  readonly taken: number[] = [];
  /** Names of the mails that were in the mailbox at a reading, and came after the first reading. */
  readonly owed: number[] = [];
  #mails: Mail[] = [];
  #cursor: MailboxCursor | null = null;
  #uidValidity = 1;
  #uidNext = 1;
  #minute = 100;
  #names = 0;

  constructor(old: number) {
    for (let n = 0; n < old; n += 1) this.arrive();
  }

  arrive(): void {
    this.#minute += 1;
    this.#names += 1;
    this.#mails.push({ name: this.#names, uid: this.#uidNext, receivedAt: at(this.#minute) });
    this.#uidNext += 1;
  }

  remove(): void {
    this.#minute += 1;
    this.#mails.pop();
  }

  renumber(): void {
    this.#minute += 1;
    this.#uidValidity += 1;
    this.#mails.reverse();
    this.#mails = this.#mails.map((mail, n) => ({ ...mail, uid: n + 1 }));
    this.#uidNext = this.#mails.length + 1;
  }

  read(): void {
    this.#minute += 1;
    const state = { uidValidity: String(this.#uidValidity), newestUid: this.#uidNext - 1 };
    const plan = planReading(this.#cursor, state);
    const startedAt = this.#cursor?.startedAt ?? at(this.#minute);
    const byName = [...this.#mails].sort((a, b) => a.name - b.name);
    for (const { name, receivedAt } of byName) {
      if (receivedAt >= startedAt && !this.owed.includes(name)) this.owed.push(name);
    }
    const uids = this.#mails.map(({ uid }) => uid);
    const chosen =
      plan.is === 'continue'
        ? selectNewUids(uids, plan.afterUid)
        : plan.is === 'renumbered'
          ? selectArrivedUids(this.#mails, plan.since)
          : [];
    for (const uid of chosen) this.taken.push(this.#mails.find((mail) => mail.uid === uid)?.name ?? 0);
    this.#cursor = {
      uidValidity: state.uidValidity,
      lastUid: state.newestUid,
      startedAt,
      checkedAt: at(this.#minute),
    };
  }
}

describe('the sender of a mail in a mailbox', () => {
  test.each([
    ['Return-Path: <ada@example.com>\r\n\r\n', 'ada@example.com'],
    ['return-path:  ada@example.com \r\n', 'ada@example.com'],
    ['Return-Path: <>\r\n', ''],
    ['\r\n', undefined],
  ])('the header %j has the sender %j', (headers, sender) => {
    expect(readReturnPath(headers)).toBe(sender);
  });
});

describe('the address of an IMAP server', () => {
  test.each([
    ['imaps://imap.example.com', { host: 'imap.example.com', port: 993, isSecure: true, isLocal: false }],
    ['imap://imap.example.com', { host: 'imap.example.com', port: 143, isSecure: false, isLocal: false }],
    ['imap://127.0.0.1:1143', { host: '127.0.0.1', port: 1143, isSecure: false, isLocal: true }],
    ['smtps://imap.example.com', null],
    ['imaps://user:password@imap.example.com', null],
    ['imaps://imap.example.com/INBOX', null],
    ['imap.example.com', null],
  ])('%s is read as %j', (url, expected) => {
    expect(parseImapUrl(url)).toEqual(expected);
  });

  test('a channel has the address with its port, and no address if it is empty', () => {
    const given = { url: 'smtps://smtp.example.com', address: 'a@example.com', username: 'a', password: 'b' };
    expect(parseEmailParams({ ...given, imapUrl: ' imaps://IMAP.example.com/ ' }).params.imapUrl).toBe(
      'imaps://imap.example.com:993',
    );
    expect(parseEmailParams({ ...given, imapUrl: '' }).params).not.toHaveProperty('imapUrl');
  });
});

describe('failures of a mailbox', () => {
  const auth: ImapFailure = { step: 'auth', code: 'AUTHENTICATIONFAILED', text: 'Invalid credentials' };

  test.each<[ImapFailure, string | undefined]>([
    [auth, 'params.password'],
    [{ step: 'auth', text: 'Too many simultaneous connections' }, undefined],
    [{ step: 'auth', code: 'UNAVAILABLE', text: 'Temporary authentication failure.' }, undefined],
    [{ step: 'server', text: 'CERT_HAS_EXPIRED' }, 'params.imapUrl'],
    [{ step: 'inbox', text: 'Mailbox does not exist' }, 'params.imapUrl'],
    [{ step: 'connection', text: 'ECONNREFUSED' }, undefined],
    [{ step: 'token', text: 'invalid_grant' }, 'params.clientSecret'],
  ])('the failure %j is corrected at %s', (failure, path) => {
    expect(findWrongImapParam(failure, { isOAuth: false })).toBe(path);
    expect(isLastingFailure(failure)).toBe(path !== undefined);
  });

  test('a refused access token is corrected at the user name', () => {
    expect(findWrongImapParam(auth, { isOAuth: true })).toBe('params.username');
  });

  test('the reason is one sentence with the reply of the server', () => {
    expect(describeImapFailure({ ...auth, text: 'Invalid\r\n credentials.' })).toBe(
      'The IMAP server did not accept the login: Invalid credentials.',
    );
    expect(describeImapFailure({ step: 'inbox', text: '' })).toBe('The IMAP server did not open INBOX.');
  });
});
