import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newEventType } from '../support/event-types.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_timers');

let organizations = 0;

/** Creates an organization below the one of the file, by default without timers. */
async function newOrganization(fields: object = {}): Promise<{ id: string; name: string }> {
  const name = `Timers ${(organizations += 1)}`;
  const { status, body } = await on.product.admin.post('/organizations', { name, ...fields });
  expect([status, body]).toEqual([201, expect.anything()]);
  return { id: body.id, name };
}

async function newBot(givenName: string): Promise<string> {
  return (await on.product.admin.post('/users', { role: 'bot', givenName })).body.id as string;
}

const readTimers = async (id: string) => (await on.product.admin.get(`/organizations/${id}`)).body.timers;

async function openTimers(organization: string, options: object = {}) {
  const person = await newPerson(on.product, { role: 'admin' });
  const place = `#/settings/organizations/${organization}`;
  const visit = await openConsole(on, person, { place, ...options });
  const timers = visit.page.getByRole('region', { name: 'Timers' });
  await timers.getByText('Loading…').waitFor({ state: 'hidden' });
  return { ...visit, timers, item: (name: string) => timers.getByRole('group', { name: `Timer “${name}”` }) };
}

const choose = (form: Locator, label: string, option: string) =>
  form.getByLabel(label, { exact: true }).selectOption({ label: option });

async function expectSentence(timers: Locator, words: string): Promise<void> {
  await expect
    .poll(async () => (await timers.locator('li > p').allTextContents()).join(' '))
    .toContain(words);
}

async function expectNoFindings(page: Page, shot: string): Promise<void> {
  await keepShot(page, `timers-${shot}`);
  expect(await axeFinds(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

test('an admin adds a timer as a sentence, creates its event type, edits it, turns it off and removes it', async () => {
  const { id } = await newOrganization({ categories: [{ name: 'sales' }] });
  await newBot('Helper');
  const { page, complaints, timers, item } = await openTimers(id, { timezoneId: 'Europe/Amsterdam' });
  await timers.getByText('No timer yet').waitFor();
  await timers.getByRole('button', { name: 'New timer' }).click();
  const form = page.getByRole('dialog', { name: 'New timer' });
  await form.getByLabel('Name', { exact: true }).fill('nobody');
  await choose(form, 'When', 'no agent has taken a conversation');
  await form.getByLabel('for', { exact: true }).fill('1.5');
  await choose(form, 'Unit of the time', 'hours');
  await form.getByLabel('post the event').fill('web.nobody');
  await choose(form, 'as', 'Helper');
  await choose(form, 'in', 'some conversations only');
  await form.getByLabel('sales').check();
  await form.getByLabel('Another touchpoint').fill('whatsapp');
  await form.getByLabel('Another touchpoint').press('Enter');
  await choose(form, 'The time passes', 'within opening hours only');
  await expect.poll(() => form.getByLabel('Time zone').inputValue()).toBe('Europe/Amsterdam');
  await form.getByLabel('Fri').uncheck();
  await form.getByLabel('to', { exact: true }).fill('00:00');
  await form.getByRole('button', { name: 'Create the event type' }).click();
  await form.getByRole('link', { name: 'Open the event type' }).waitFor();
  await expectNoFindings(page, 'form');
  await form.getByRole('button', { name: 'Save the timer' }).click();
  await form.waitFor({ state: 'detached' });
  await expectSentence(
    timers,
    'When no agent has taken a conversation for 90 minutes, post the event web.nobody as Helper' +
      ' — only in category sales, touchpoint whatsapp — within opening hours (Mon–Thu 09:00–24:00, Europe/Amsterdam).',
  );
  const week = [{ days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '24:00' }];
  const [stored] = await readTimers(id);
  expect(stored).toMatchObject({
    ...{ name: 'nobody', when: 'queued', after: 'PT90M', event: 'web.nobody' },
    ...{ only: { category: ['sales'], touchpoint: ['whatsapp'] } },
    ...{ hours: { timeZone: 'Europe/Amsterdam', week } },
  });

  await item('nobody').getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the timer “nobody”' });
  await choose(edit, 'When', 'a contact has waited for a reply');
  await choose(edit, 'in', 'every conversation');
  await choose(edit, 'The time passes', 'at all times');
  await edit.getByRole('button', { name: 'Save the timer' }).click();
  await expectSentence(
    timers,
    'When a contact has waited for a reply for 90 minutes, post the event web.nobody as Helper.',
  );
  const { only: _, hours: __, ...others } = stored;
  expect(await readTimers(id)).toEqual([{ ...others, when: 'waiting' }]);

  await item('nobody').getByRole('button', { name: 'Turn off' }).click();
  await timers.getByText('Off', { exact: true }).waitFor();
  await item('nobody').getByRole('button', { name: 'Turn on' }).click();
  await item('nobody').getByRole('button', { name: 'Turn off' }).waitFor();
  expect(await readTimers(id)).toEqual([{ ...others, when: 'waiting' }]);
  await item('nobody').getByRole('button', { name: 'Remove' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove the timer “nobody”?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  expect(await readTimers(id)).toHaveLength(1);
  await item('nobody').getByRole('button', { name: 'Remove' }).click();
  await asked.getByRole('button', { name: 'Remove' }).click();
  await timers.getByText('No timer yet').waitFor();
  expect(await readTimers(id)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('an admin overrides an inherited timer, or turns it off, and the inherited one holds again after a removal', async () => {
  const bot = await newBot('Above');
  const timer = (name: string) => ({
    name,
    when: 'quiet',
    after: 172_800_000,
    event: 'web.quiet',
    user: bot,
  });
  const inherited = [timer('first'), timer('second')];
  const above = await newOrganization({ timers: inherited });
  const { id } = await newOrganization({ parent: above.id });
  const { page, timers, item } = await openTimers(id);
  await timers.getByText(`Inherited from ${above.name}`).first().waitFor();
  await expectSentence(timers, 'When a conversation has been quiet for 2 days');
  await item('first').getByRole('button', { name: 'Override here' }).click();
  const form = page.getByRole('dialog', { name: 'Override the timer “first” here' });
  await expect.poll(() => form.getByLabel('Name', { exact: true }).count()).toBe(0);
  await form.getByLabel('for', { exact: true }).fill('3');
  await form.getByRole('button', { name: 'Save the timer' }).click();
  await timers.getByText(`Overrides the one of ${above.name}`).waitFor();
  await item('second').getByRole('button', { name: 'Turn off here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off here' }).click();
  await item('second').getByRole('button', { name: 'Turn on' }).waitFor();
  const first = { ...timer('first'), after: 'P3D' };
  expect(await readTimers(id)).toEqual([first, { ...timer('second'), disabled: true }]);
  await keepShot(page, 'timers-inherited');

  // The timer is inherited again, and follows later changes above.
  await item('second').getByRole('button', { name: 'Turn on' }).click();
  await item('second').getByRole('button', { name: 'Turn off here' }).waitFor();
  expect(await readTimers(id)).toEqual([first]);
  await item('first').getByRole('button', { name: 'Remove' }).click();
  await page.getByText(`The timer of ${above.name} with this name then holds again.`).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await item('first').getByRole('button', { name: 'Override here' }).waitFor();
  expect(await readTimers(id)).toEqual([]);
  expect(await readTimers(above.id)).toEqual(inherited);
});

test('the form of a timer shows a refusal at its field, in its own words', async () => {
  const { id } = await newOrganization();
  const bot = await newBot('Refused');
  await newBot('Second');
  const taken = { name: 'taken', when: 'queued', after: 'PT1H', event: 'web.taken', user: bot };
  await on.product.admin.request('PATCH', `/organizations/${id}`, { timers: [taken] });
  const { page, timers } = await openTimers(id);
  await timers.getByRole('button', { name: 'New timer' }).click();
  const form = page.getByRole('dialog');
  const refusedAt = async (label: string, words: string) => {
    await form.getByRole('button', { name: 'Save the timer' }).click();
    await form.getByText(words, { exact: true }).waitFor();
    await form.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid="true"]:focus')).waitFor();
    await expect.poll(() => form.locator('.wrong').count()).toBe(1);
    await expect.poll(() => form.getByRole('alert').count()).toBe(0);
  };
  await form.getByLabel('Name', { exact: true }).fill('taken');
  await form.getByLabel('post the event').fill('two words');
  await choose(form, 'as', 'Choose a bot');
  await form.getByLabel('for', { exact: true }).fill('0.1');
  await choose(form, 'Unit of the time', 'seconds');
  await refusedAt('for', 'Must be from 1 second to 400 days.');
  await form.getByLabel('for', { exact: true }).fill('1');
  await choose(form, 'Unit of the time', 'weeks');
  await choose(form, 'in', 'some conversations only');
  await refusedAt('in', 'Choose at least one category, type or touchpoint.');
  await form.getByLabel('sms').check();
  await form.getByLabel('post the event').fill('web.refused');
  await refusedAt('as', 'Choose a bot of this organization or of one above it.');
  await choose(form, 'as', 'Second');
  await choose(form, 'The time passes', 'within opening hours only');
  await form.getByLabel('from', { exact: true }).fill('20:00');
  await refusedAt('to', 'Must be later than the beginning. Hours over midnight are two entries.');
  await form.getByLabel('from', { exact: true }).fill('16:59');
  for (const day of ['Tue', 'Wed', 'Thu', 'Fri']) await form.getByLabel(day).uncheck();
  await refusedAt(
    'The time passes',
    'The hours are so short that the timer would take longer than 400 days.',
  );
  await choose(form, 'The time passes', 'at all times');
  await refusedAt('Name', 'Is the name of another timer.');
  await expectNoFindings(page, 'refused');
  await form.getByLabel('Name', { exact: true }).fill('free');
  await form.getByRole('button', { name: 'Save the timer' }).click();
  await expectSentence(timers, 'for 1 week, post the event web.refused as Second');
  expect((await readTimers(id)).map(({ name }: { name: string }) => name)).toEqual(['taken', 'free']);
});

test('saving a timer keeps concurrent changes of other timers, and refuses a timer that another admin has changed', async () => {
  const { id } = await newOrganization();
  const user = await newBot('Kept');
  const timer = { name: 'mine', when: 'queued', after: 3_723_004, event: 'web.mine', user };
  const other = { ...timer, name: 'other', after: 'P1DT12H' };
  const write = (timers: object[]) => on.product.admin.request('PATCH', `/organizations/${id}`, { timers });
  await write([timer, other]);
  const { page, timers, item } = await openTimers(id);
  await expectSentence(timers, 'for 3723.004 seconds');
  await expectSentence(timers, 'for 36 hours');
  const edit = async (name: string, event: string) => {
    await item(name).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('post the event').fill(event);
    return page.getByRole('dialog').getByRole('button', { name: 'Save the timer' });
  };
  const saveOther = await edit('other', 'web.edited');
  await write([{ ...timer, disabled: true }, other]);
  await saveOther.click();
  await timers
    .getByRole('link')
    .or(timers.locator('strong', { hasText: 'web.edited' }))
    .first()
    .waitFor();
  // Unchanged durations keep their notation.
  expect(await readTimers(id)).toEqual([
    { ...timer, disabled: true },
    { ...other, event: 'web.edited' },
  ]);
  const saveMine = await edit('mine', 'web.late');
  await write([{ ...timer, after: 5_000 }]);
  await saveMine.click();
  await page.getByRole('alert').getByText('Another admin has changed this timer.').waitFor();
  await saveMine.click();
  await page.getByRole('alert').getByText('Another admin has changed this timer.').waitFor();
  expect(await readTimers(id)).toEqual([{ ...timer, after: 5_000 }]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectSentence(timers, 'for 5 seconds');
  await (await edit('mine', 'web.late')).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await readTimers(id)).toEqual([{ ...timer, after: 5_000, event: 'web.late' }]);
});

test('an organization with ten timers offers no further one', async () => {
  const user = await newBot('Many');
  const timers = Array.from({ length: 10 }, (_, at) => ({
    ...{ name: `n${at}`, when: 'queued', after: 1_000, event: 'web.many', user },
  }));
  const above = await newOrganization({ timers: timers.slice(0, 4) });
  const { id } = await newOrganization({ parent: above.id, timers: timers.slice(4) });
  const visit = await openTimers(id);
  await visit.timers.getByText('Ten timers at most').waitFor();
  await expect.poll(() => visit.timers.getByRole('button', { name: 'New timer' }).isDisabled()).toBe(true);
});

test('a timer that an admin writes in the console fires', async () => {
  const { id } = await newOrganization();
  await newBot('Fires');
  await newEventType(
    on.product,
    'web.fires',
    '{ "conversation": conversation, "messages": [{ "text": "Sorry, it takes longer", "role": "bot", "isBackchannel": false }] }',
  );
  const { page, timers } = await openTimers(id);
  await timers.getByRole('button', { name: 'New timer' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('fires');
  await form.getByLabel('for', { exact: true }).fill('1');
  await choose(form, 'Unit of the time', 'seconds');
  await form.getByLabel('post the event').fill('web.fires');
  await choose(form, 'as', 'Fires');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  const { body } = await on.product.admin.post('/conversations', { organization: id });
  await eventually(async () => {
    const messages = await on.product.admin.get(`/conversations/${body.id}/messages`);
    return messages.body.some(({ text }: { text: string }) => text === 'Sorry, it takes longer');
  });
});

test.each([
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const }],
  ['dark phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }],
])('the timers of an organization have no overflow and no axe findings on a %s', async (look, options) => {
  const user = await newBot('Helper');
  const timer = { name: 'nobody', when: 'queued', after: 'PT10M', event: 'web.look', user };
  const week = [
    { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' },
    { days: ['sat'], from: '10:00', to: '24:00' },
  ];
  const above = await newOrganization({
    timers: [
      { ...timer, name: 'inherited', when: 'waiting' },
      { ...timer, name: 'off' },
    ],
  });
  const { id } = await newOrganization({
    parent: above.id,
    categories: [{ name: 'sales' }, { name: 'a rather long name of a category' }],
    timers: [
      {
        ...timer,
        only: { category: ['sales'], touchpoint: ['sms'] },
        hours: { timeZone: 'Europe/Amsterdam', week },
      },
      { ...timer, name: 'off', disabled: true },
      { ...timer, name: 'averyveryverylongnamewithoutanyspaceinitbecausenobodyforbidsit', when: 'accepted' },
    ],
  });
  const { page, timers, item } = await openTimers(id, options);
  await item('nobody').waitFor();
  await timers.scrollIntoViewIfNeeded();
  await item('nobody').getByRole('button', { name: 'Edit' }).scrollIntoViewIfNeeded();
  await expectNoFindings(page, `${look}-list`);
  await timers.screenshot({ path: `build-output/viewer/timers-${look}-section.png` });
  expect([await unreachable(page), await overlapping(page)]).toEqual([[], []]);
  await item('nobody').getByRole('button', { name: 'Edit' }).click();
  await expectNoFindings(page, `${look}-form`);
});
