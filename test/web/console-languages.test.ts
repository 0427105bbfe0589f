import { readFileSync, readdirSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalog } from '../../web/console/languages/catalog.ts';
import { texts as deLater } from '../../web/console/languages/de/index.ts';
import { shell as deShell } from '../../web/console/languages/de/shell.ts';
import { texts as frLater } from '../../web/console/languages/fr/index.ts';
import { shell as frShell } from '../../web/console/languages/fr/shell.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import type { Person } from './console.ts';
import { newTalk } from './conversation.ts';
import type { Talk } from './conversation.ts';
import { ENGLISH_CATALOG } from './english.ts';
import { overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const de: Catalog = { shell: deShell, ...deLater };
const fr: Catalog = { shell: frShell, ...frLater };

const on = stage('console_languages');
let admin: Person;
let talk: Talk;
let places: string[] = [];

beforeAll(async () => {
  const post = async (path: string, body: object) =>
    (await on.product.admin.post(path, body)).body.id as string;
  admin = await newPerson(on.product, { role: 'admin', givenName: 'Zoë', familyName: 'Zz' });
  const bot = await newPerson(on.product, { role: 'bot', givenName: 'Qq' });
  talk = await newTalk(on.product);
  await talk.say('qqq');
  const service = await post('/services', {
    name: 'zzz',
    type: 'webhook',
    params: { url: 'http://127.0.0.1:9/', events: ['message.create'] },
  });
  const type = await post('/eventtypes', { name: 'zzz.zzz', jsonata: '{}' });
  const team = await post('/channels', { name: 'zzz', members: [{ user: admin.id }] });
  await post('/forms', { name: 'zzz', type: 'topic', fields: [] });
  await post('/kbitems', { title: 'zzz' });
  await on.product.admin.post('/events/zzz.zzz', {});
  await on.product.admin.request('PATCH', `/organizations/${on.product.organization}`, {
    timers: [{ name: 'zzz', when: 'queued', after: 'PT2H', event: 'zzz.zzz', user: bot.id }],
  });
  const { body: conversation } = await on.product.admin.get(`/conversations/${talk.id}`);
  places = [
    `inbox/all/${talk.id}`,
    'contacts',
    `contacts/${String(conversation.contact)}`,
    'channels',
    'webhooks',
    `webhooks/services/${service}`,
    'webhooks/deliveries',
    'events/log',
    'events/types',
    `events/types/${type}`,
    'reports',
    'team',
    `team/${admin.id}`,
    'settings/organizations',
    `settings/organizations/${on.product.organization}`,
    'settings/channels',
    `settings/channels/${team}`,
    'settings/forms',
    'settings/kbitems',
    'operations',
    'account',
  ];
});

/** Texts without values. */
function listWords(group: object): string[] {
  return Object.values(group).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value ? listWords(value) : [],
  );
}

const ENGLISH = Object.values(ENGLISH_CATALOG);

/** Returns English texts that are no texts of the other language. */
function listEnglish({ refusals: _, ...own }: Catalog): Set<string> {
  const other = new Set(listWords(own));
  const isOwn = (text: string) => /[a-z]{2}/i.test(text) && text !== 'meta' && !other.has(text);
  return new Set(ENGLISH.flatMap(listWords).filter(isOwn));
}

/** Returns the texts of the page and of screen readers, without values of fields and code. */
async function readWords(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('#console *')].filter((one) => !one.closest('pre, code')).flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()),
    ...['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? ''),
  ]).filter((words) => words !== '')`);
}

/** Words that only English has. */
const ENGLISH_WORDS =
  /(?<![\p{L}.])(the|and|with|your|this|that|from|not|yet|has|have|is|are|of)(?![\p{L}.])/iu;

async function expectNoEnglish(page: Page, place: string, catalog: Catalog): Promise<void> {
  const english = listEnglish(catalog);
  expect(english.size).toBeGreaterThan(500);
  const words = await readWords(page);
  expect(words.length).toBeGreaterThan(5);
  const found = words.filter((text) => english.has(text) || ENGLISH_WORDS.test(text));
  expect([place, ...new Set(found)]).toEqual([place]);
}

async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel(de.shell.email, { exact: true }).fill(email);
  await page.getByLabel(de.shell.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: de.shell.signIn }).click();
}

async function show(page: Page, place: string, { shell }: Catalog): Promise<void> {
  await page.goto(`${on.product.origin}/console#/${place}`);
  await page.locator('#main :is(h1, .row, .empty):visible').first().waitFor();
  await page.getByText(shell.loading).first().waitFor({ state: 'hidden' });
}

const GERMAN = { locale: 'de-DE', viewport: { width: 1440, height: 900 } };

describe('the console in another language', () => {
  test('an agent with a German browser signs in, takes, answers and closes a conversation without English', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Yyy' });
    const { page, complaints } = await on.open(`${on.product.origin}/console#/inbox/all/${talk.id}`, GERMAN);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await expectNoEnglish(page, 'sign in', de);
    await enter(page, { ...agent, password: 'wrong password' });
    await page.getByText('E-Mail, Passwort oder Einmalpasswort ist falsch.').waitFor();
    await enter(page, agent);
    await page.getByRole('button', { name: 'Übernehmen' }).click();
    await page.getByText('hat die Unterhaltung übernommen').first().waitFor();
    await page.getByRole('textbox', { name: 'An den Kontakt schreiben' }).fill('zzz');
    await expectNoEnglish(page, 'conversation', de);
    await page.getByRole('button', { name: 'Senden', exact: true }).click();
    await page.getByRole('button', { name: 'Mehr', exact: true }).click();
    await expectNoEnglish(page, 'menu', de);
    await page.getByRole('menuitem', { name: 'Zurückstellen' }).click();
    await page.getByRole('dialog', { name: 'Zurückstellen' }).waitFor();
    await expectNoEnglish(page, 'snooze', de);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Schließen', exact: true }).first().click();
    await page.getByText('hat die Unterhaltung geschlossen').first().waitFor();
    await expectNoEnglish(page, 'closed', de);
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect(complaints).toEqual([]);
  });

  test.each<[string, string, Catalog, BrowserContextOptions]>([
    ['German', 'desktop', de, GERMAN],
    ['French', 'phone', fr, { locale: 'fr-FR', viewport: { width: 390, height: 844 } }],
    ['German', 'dark phone', de, { ...GERMAN, viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    [
      'French',
      'dark desktop',
      fr,
      { locale: 'fr-FR', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
    ],
  ])(
    'the screens of the console in %s fit a %s and have no English',
    async (language, look, catalog, options) => {
      const { page } = await on.open(`${on.product.origin}/console`, options);
      const { shell } = catalog;
      await page.getByLabel(shell.email, { exact: true }).fill(admin.email);
      await page.getByLabel(shell.password, { exact: true }).fill(admin.password);
      await page.getByRole('button', { name: shell.signIn }).click();
      await page.getByRole('button', { name: shell.signOut }).waitFor();
      for (const place of places) {
        await show(page, place, catalog);
        await keepShot(page, `${language}-${look}-${place.replace(/\W/g, '-').slice(0, 24)}`);
        await expectNoEnglish(page, place, catalog);
        const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        const found = [await unreachable(page), await overlapping(page)];
        expect([place, wider, ...found]).toEqual([place, 0, [], []]);
      }
      expect(await axeFinds(page)).toEqual([]);
    },
  );

  test('the dialogs of the console in German have no English', async () => {
    const { page } = await on.open(`${on.product.origin}/console`, GERMAN);
    await enter(page, admin);
    await page.getByRole('button', { name: 'Abmelden' }).waitFor();
    const find = (start: string) => places.find((place) => place.startsWith(start)) ?? '';
    const dialogs: [place: string, ...buttons: string[]][] = [
      [find('inbox'), 'Zuweisen'],
      ...['In dieser Unterhaltung suchen', 'Protokoll', 'Feld ändern'].map((item): [string, ...string[]] => [
        find('inbox'),
        'Mehr',
        item,
      ]),
      ...['Mit einem anderen Kontakt zusammenführen', 'Endgültig löschen'].map(
        (item): [string, ...string[]] => [find('contacts/'), 'Mehr', item],
      ),
      ...['SMS über Twilio', 'E-Mail', 'Eigener Adapter'].map((type): [string, ...string[]] => [
        'channels',
        'Kanal hinzufügen',
        type,
      ]),
      ['webhooks', 'Neuer Webhook'],
      ...['Bearbeiten', 'Wiederholen', 'Schlüssel wechseln', 'Schlüssel anzeigen', 'Löschen'].map(
        (button): [string, ...string[]] => [find('webhooks/services/'), button],
      ),
      ['events/types', 'Neuer Ereignistyp'],
      [find('events/types/'), 'Adresse für einen Absender'],
      ['team', 'Benutzer anlegen'],
      ['settings/organizations', 'Organisation anlegen'],
      [find('settings/organizations/'), 'Neuer Timer'],
      ['settings/forms', 'Formular anlegen'],
    ];
    for (const [place, ...buttons] of dialogs) {
      await show(page, place, de);
      for (const word of buttons) {
        const name = new RegExp(`^${word}(\\s|$)`);
        const found = page
          .locator('#main')
          .getByRole('button', { name })
          .or(page.getByRole('menuitem', { name }));
        await found.first().click();
      }
      await page.locator('dialog[open]').waitFor();
      await page.getByText(de.shell.loading).first().waitFor({ state: 'hidden' });
      await keepShot(page, `German-dialog-${buttons.join('-').replace(/\W/g, '-')}`);
      await expectNoEnglish(page, `${place} ${buttons.join(', ')}`, de);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Tastenkürzel' }).waitFor();
    await expectNoEnglish(page, 'shortcuts', de);
  });

  test('the language that a user chooses survives a reload, and is on another browser and not on the sign-in form', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Xxx' });
    const { page } = await openConsole(on, agent, { place: '#/account' });
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await page
      .getByRole('heading', { name: 'Passwort ändern' })
      .or(page.getByText('Tastenkürzel'))
      .first()
      .waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    await page.reload();
    await page.getByText('Tastenkürzel').first().waitFor();
    const other = await openConsoleAgain(agent);
    await other.getByRole('link', { name: 'Posteingang' }).waitFor();
    await other.getByRole('button', { name: 'Abmelden' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Sprache').selectOption({ label: 'Wie der Browser' });
    await page.getByRole('link', { name: 'Inbox' }).waitFor();
  });

  test('a change of the language keeps a draft', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Www' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.getByRole('textbox', { name: 'Write to the contact' }).fill('half a sentence');
    await page.goto(`${on.product.origin}/console#/account`);
    await page.getByLabel('Language').selectOption('fr');
    await page.getByText('Raccourcis clavier').first().waitFor();
    await page.goto(`${on.product.origin}/console#/inbox/all/${talk.id}`);
    const reply = page.getByRole('textbox', { name: 'Écrire au contact' });
    await expect.poll(() => reply.inputValue()).toBe('half a sentence');
  });

  test('the console is English if a part of the texts of another language cannot be loaded', async () => {
    // A text of the first script, and one of the screens.
    for (const text of [deShell.screens.inbox, deLater.refusals['is required']]) {
      const [file = ''] = readdirSync('dist/web/assets').filter(
        (name) => name.endsWith('.js') && readFileSync(`dist/web/assets/${name}`, 'utf8').includes(text),
      );
      expect(file).not.toBe('');
      const { page } = await on.open('about:blank', GERMAN);
      await page.route(`**/${file}`, (route) => route.abort());
      await page.goto(`${on.product.origin}/console`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await page.getAttribute('html', 'lang')).toBe('en');
    }
  });
});

/** Signs in with another English browser. */
async function openConsoleAgain({ email, password }: Person): Promise<Page> {
  const { page } = await on.open(`${on.product.origin}/console`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}
