import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser } from '../support/shared-servers.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import type { Person } from './console.ts';
import { faintWhenHovered, overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_reports');

let admin: Person;
const rated: string[] = [];

beforeAll(async () => {
  admin = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
  const { admin: api, organization } = on.product;
  const form = (
    await api.post('/forms', { name: 'Satisfaction', fields: [{ name: 'Rating', key: 'rating' }] })
  ).body.id;
  await api.request('PATCH', `/organizations/${organization}`, { ratingForm: form });
  for (const category of ['repairs', 'repairs', 'sales & more']) {
    const { body } = await api.post('/conversations', {
      organization,
      category,
      messages: [{ text: 'Hello', role: 'contact' }],
    });
    await api.post(`/conversations/${body.id}/messages`, { text: 'Hi', role: 'agent' });
    if (category === 'repairs') rated.push(body.id);
  }
  const bot = await newUser(on.product, { role: 'bot' });
  // The form is cached for five seconds.
  for (const [at, id] of rated.entries()) {
    await eventually(async () => {
      const results = [{ form, formName: 'Satisfaction', values: { rating: 5 - at } }];
      await bot.post('/messages', { conversation: id, type: 'results', text: 'Rated', results });
      return (await api.get(`/conversations/${id}`)).body.rating === 5 - at;
    });
  }
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the reports of the console', () => {
  test('an admin reads the conversations by day, status, category and channel, and the waiting times', async () => {
    const { page, complaints } = await openConsole(on, admin, { place: '#/reports' });
    await page.getByText('3 conversations began').waitFor();
    const rows = async (name: string) => region(page, name).locator('tbody tr').allInnerTexts();
    expect((await rows('Category')).map((row) => row.replace(/\s+/g, ' '))).toEqual([
      'repairs 2',
      'sales & more 1',
    ]);
    expect((await rows('Channel')).map((row) => row.replace(/\s+/g, ' '))).toEqual(['Web chat 3']);
    const reply = region(page, 'Waiting times').locator('tr', { hasText: 'the first reply' });
    await reply.getByText('3', { exact: true }).waitFor();
    await reply
      .getByText(/sec|min/)
      .first()
      .waitFor();
    expect((await rows('Ratings')).map((row) => row.replace(/\s+/g, ' '))).toEqual([
      ...['5 ★ 1', '4 ★ 1', '3 ★ 0', '2 ★ 0', '1 ★ 0'],
    ]);
    await region(page, 'Ratings').getByText('4.5 of 5 on average').waitFor();
    await page.getByText('As a table').click();
    // The day changes at midnight while the test runs.
    const counted = (await rows('Conversations by day')).map((row) => Number(/(\d+)\s*$/.exec(row)?.[1]));
    expect(counted.length).toBeGreaterThanOrEqual(30);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(complaints).toEqual([]);
  });

  test('the days of a report are in the address, and impossible days are refused at their field', async () => {
    const { page } = await openConsole(on, admin, { place: '#/reports?from=2001-02-03&until=2001-02-04' });
    await page.getByText('No conversations began in these days.').waitFor();
    await page.getByLabel('From').fill('2001-02-05');
    await page.getByText('The first day is after the last one.').waitFor();
    await expect.poll(() => page.getByLabel('From').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('From').fill('1999-12-31');
    await page.getByText('A report covers 400 days at most.').waitFor();
    await page.getByRole('link', { name: 'Last 7 days' }).click();
    await page.getByText('3 conversations began').waitFor();
    expect(page.url()).toMatch(/from=20\d\d-\d\d-\d\d&until=20\d\d-\d\d-\d\d$/);
    await page.reload();
    await page.getByText('3 conversations began').waitFor();
    await page.goBack();
    await page.getByText('A report covers 400 days at most.').waitFor();
  });

  test('an admin downloads the figures as CSV', async () => {
    const { page } = await openConsole(on, admin, { place: '#/reports' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^report-20\d\d-\d\d-\d\d-20\d\d-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines).toContain('total,,3,,');
    expect(lines).toContain('category,sales & more,1,,');
    expect(lines).toContain('average rating,4.5,2,,');
    expect(lines.filter((line) => line.startsWith('day,')).length).toBeGreaterThanOrEqual(30);
  });

  test.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1440, height: 900 } }],
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ])('the reports are whole on a %s, without a finding of axe', async (look, options) => {
    const { page } = await openConsole(on, admin, { place: '#/reports', ...options });
    await page.route('**/v2/organizations/*/report?*', async (route) => {
      const response = await route.fetch();
      const report = (await response.json()) as { days: { conversations: number }[]; times: object };
      const days = report.days.map((day, at) => ({ ...day, conversations: (at * 7) % 23 }));
      await route.fulfill({ response, json: { ...report, days } });
    });
    await page.reload();
    await page.getByText('3 conversations began').waitFor();
    await keepShot(page, `reports-${look}`);
    expect(await axeFinds(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const spilt = await page.evaluate(
      "[...document.querySelectorAll('.card')].filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.ariaLabel)",
    );
    expect(spilt).toEqual([]);
    const found = [await unreachable(page), await overlapping(page), await faintWhenHovered(page)];
    expect(found).toEqual([[], [], []]);
  });
});
