import { describe, expect, test } from 'vitest';
import { chooseMailLanguage, composeAccountMail } from '../../domain/account-mail.ts';
import { ACCOUNT_MAIL_KINDS, ACCOUNT_MAIL_TEXTS } from '../../domain/account-mail-texts.ts';
import { LANGUAGE_NAMES } from '../../domain/languages.ts';
import type { LanguageTag } from '../../domain/languages.ts';

const LANGUAGES = Object.keys(LANGUAGE_NAMES) as LanguageTag[];
const FACTS = {
  organization: 'Acme',
  email: 'ada@example.com',
  url: 'https://example.com/console#/password/x',
};

/** Spec 3.10 */
describe('a mail about an account', () => {
  test('a mail about an account has the address, the email and the organization in every language', () => {
    for (const kind of ACCOUNT_MAIL_KINDS) {
      const mails = LANGUAGES.map((language) => composeAccountMail({ ...FACTS, kind, language }));
      for (const { subject, text, html } of mails) {
        expect(subject).toContain('Acme');
        for (const part of Object.values(FACTS)) expect(text).toContain(part);
        expect(html).toContain(`href="${FACTS.url}"`);
      }
      expect(new Set(mails.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
      expect(new Set(mails.map(({ text }) => text)).size).toBe(LANGUAGES.length);
    }
  });

  test('mails about accounts address agents informally in Dutch, as the console does', () => {
    expect(JSON.stringify(ACCOUNT_MAIL_TEXTS.nl)).not.toMatch(/\b(u|uw)\b/i);
  });

  test.each<[string, object, object | null, string[], LanguageTag]>([
    ['the user', { console: { language: 'nl' } }, { locale: 'de' }, ['fr'], 'nl'],
    ['the organization', { console: { language: 'tlh' } }, { locale: 'de_AT' }, ['fr'], 'de'],
    ['the request', {}, { locale: 7 }, ['tlh', 'fr-CA', 'es'], 'fr'],
    ['the request', {}, null, ['es'], 'es'],
    ['nobody', { console: null }, null, [], 'en'],
  ])(
    'a mail about an account is in the language of %s: %j %j %j',
    (_, user, organization, wanted, language) => {
      const of = organization && { settings: organization };
      expect(chooseMailLanguage({ settings: user }, of, wanted)).toBe(language);
    },
  );
});
