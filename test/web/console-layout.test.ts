import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ownApi } from '../support/shared-servers.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import type { Person } from './console.ts';
import { faintWhenHovered, overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_layout', (name) => ownApi(name, { TEMPORAL_UI_URL: 'http://127.0.0.1:8233' }));
let admin: Person;
let places: string[] = [];

beforeAll(async () => {
  const post = async (path: string, body: object) =>
    (await on.product.admin.post(path, body)).body.id as string;
  const twice = async (path: string, fields: (at: number) => object) => [
    await post(path, fields(1)),
    await post(path, fields(2)),
  ];
  admin = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
  const other = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
  const members = [{ user: admin.id }, { user: other.id }];
  const [channel] = await twice('/channels', (at) => ({ name: `Desk ${at}`, members }));
  const [type] = await twice('/eventtypes', (at) => ({ name: `layout.one${at}`, jsonata: '{}' }));
  await twice('/kbitems', (at) => ({ title: `Question ${at}` }));
  await twice('/forms', (at) => ({ name: `Form ${at}`, type: 'topic', fields: [] }));
  await twice('/events/layout.one1', (number) => ({ number }));
  const [talk] = await twice('/conversations', (at) => ({
    name: `Talk ${at}`,
    messages: [{ text: 'hello' }],
  }));
  const said = (message: object) => post(`/conversations/${talk}/messages`, message);
  await said({ text: 'a contact', role: 'contact' });
  await said({ text: 'two lines\nof an agent', role: 'agent', isBackchannel: false });
  await twice(`/conversations/${talk}/messages`, (at) => ({
    text: `Later: a text that is long enough for more than one line on a phone ${at}`,
    delay: 3_600_000,
    isBackchannel: false,
  }));
  places = [
    `inbox/all/${talk}`,
    'contacts',
    'reports',
    'events/log',
    'events/types',
    `events/types/${type}`,
    'team',
    'settings/channels',
    `settings/channels/${channel}`,
    'operations',
    'account',
  ];
});

test.each<[string, BrowserContextOptions]>([
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['tablet', { viewport: { width: 1024, height: 768 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
])(
  'the console on a %s has no unreachable controls, overlapping rows or faint buttons',
  async (look, options) => {
    const { page } = await openConsole(on, admin, options);
    for (const place of places) {
      await page.goto(`${on.product.origin}/console#/${place}`);
      await page.locator(':is(#main h1, #main .row):visible').first().waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
      // Send is enabled only if the text field is not empty.
      const reply = page.getByRole('textbox', { name: 'Write to the contact' });
      if (place.startsWith('inbox')) await reply.fill('words');
      await keepShot(page, `layout-${look}-${place.replace(/\W/g, '-').slice(0, 20)}`);
      const found = [await unreachable(page), await overlapping(page), await faintWhenHovered(page)];
      expect([place, ...found]).toEqual([place, [], [], []]);
    }
  },
);
