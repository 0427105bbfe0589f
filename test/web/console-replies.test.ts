import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newChannel } from '../support/channel.ts';
import type { TestChannel } from '../support/channel.ts';
import { eventually } from '../support/eventually.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_replies');

let channel: TestChannel;
beforeAll(async () => {
  channel = await newChannel(on.product);
});
afterAll(() => channel.close());

async function openConversation(id: string, options = {}) {
  const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
  const opened = await openConsole(on, agent, { place: `#/inbox/all/${id}`, ...options });
  const field = opened.page.getByRole('textbox', { name: 'Write to the contact' });
  await field.waitFor();
  const findMessage = (text: string) =>
    eventually(async () => {
      const { body } = await on.product.admin.get(`/conversations/${id}/messages?text=${text}`);
      return (body as { id: string; delivery?: { status: string }; touchpoint: string }[])[0];
    });
  return { ...opened, field, findMessage };
}

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('a reply in the console', () => {
  test('a reply goes by the channel of the contact, and its ticks rise while the agent looks on', async () => {
    const { from, conversation } = await channel.write('My parcel is late');
    const { page, field, findMessage, complaints } = await openConversation(conversation, WIDE);
    const way = page.getByLabel('Goes by');
    await way.waitFor();
    expect(await way.locator('option:checked').textContent()).toBe(`SMS to ${from}`);
    await page.locator('.identities', { hasText: from }).waitFor();
    await field.fill('one');
    await field.press('Enter');
    const mark = page.locator('.line.agent', { hasText: 'one' }).locator('.receipt');
    await mark.and(page.locator('.sent')).waitFor();
    const { id } = await findMessage('one');
    await channel.report(id, 'delivered');
    await mark.and(page.locator('.delivered')).waitFor();
    await channel.report(id, 'read');
    await mark.and(page.locator('.read')).waitFor();
    await field.fill('two');
    await field.press('Enter');
    const second = page.locator('.line.agent', { hasText: 'two' }).locator('.receipt');
    await second.and(page.locator('.sent')).waitFor();
    const error = { code: '30003', message: 'The handset is switched off.' };
    await channel.report((await findMessage('two')).id, 'failed', error);
    await page.getByText('Not delivered: The handset is switched off. (30003)').waitFor();
    await keepShot(page, 'replies-wide');
    expect([await axeFinds(page), complaints]).toEqual([[], []]);
  });

  test('the agent sees before sending that the contact has opted out, and replies on the chat page', async () => {
    const { from, conversation } = await channel.write('Hello');
    await channel.write('STOP', from, { optedOut: true });
    const { page, field, findMessage } = await openConversation(conversation, WIDE);
    await page.getByText('The contact has opted out of this channel.').waitFor();
    await page.locator('.identities .badge', { hasText: 'Opted out' }).waitFor();
    await field.fill('instead');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await keepShot(page, 'replies-opted-out');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByLabel('Goes by').selectOption('web');
    await send.click();
    await page.locator('.line.agent', { hasText: 'instead' }).waitFor();
    const message = await findMessage('instead');
    expect(message).toMatchObject({ touchpoint: 'web' });
    expect(message).not.toHaveProperty('delivery');
  });

  test('a refusal that the page did not know is shown, and the text stays', async () => {
    const { conversation } = await channel.write('Hello');
    const { page, field } = await openConversation(conversation);
    await page.getByLabel('Goes by').waitFor();
    await page.route('**/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            json: { code: 'unreachable', message: 'The contact cannot be reached there.' },
          })
        : route.continue(),
    );
    await field.fill('not lost');
    await field.press('Enter');
    await page.getByRole('alert').getByText('The contact cannot be reached there.').waitFor();
    expect(await field.inputValue()).toBe('not lost');
  });

  test('a contact without an address on a channel has no choice of channels, and a reply has no ticks', async () => {
    const talk = await newTalk(on.product);
    await channel.write('of somebody else');
    const { page, field } = await openConversation(talk.id);
    await field.fill('by the chat page');
    await field.press('Enter');
    const line = page.locator('.line.agent', { hasText: 'by the chat page' });
    await line.waitFor();
    expect(await line.locator('.receipt').count()).toBe(0);
    expect(await page.getByLabel('Goes by').count()).toBe(0);
  });

  test.each([
    ['phone', { viewport: { width: 390, height: 844 } }],
    ['dark', { ...WIDE, colorScheme: 'dark' as const }],
  ])(
    'the conversation with ticks and a choice of channels looks right on a %s screen',
    async (look, options) => {
      const { conversation } = await channel.write('Where is my bike?');
      const { page, field } = await openConversation(conversation, options);
      await page.getByLabel('Goes by').waitFor();
      await field.fill('On its way.');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.locator('.receipt.sent').waitFor();
      await keepShot(page, `replies-${look}`);
      expect(await axeFinds(page)).toEqual([]);
    },
  );
});

const PHOTO = readFileSync('docs/pictures/messages/image.png');
const PICTURE = { name: 'photo.png', mimeType: 'image/png', buffer: PHOTO };
const NOTES = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };

describe('files in the console', () => {
  test('an agent sends a text and files together, and opens the picture in the viewer', async () => {
    const talk = await newTalk(on.product);
    const { page, field, complaints } = await openConversation(talk.id);
    await page.getByLabel('Attach files').setInputFiles([PICTURE, NOTES]);
    const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    await eventually(async () => (await files.and(page.locator('.sent')).count()) >= 2);
    await field.fill('Look at these');
    await keepShot(page, 'console-files-chosen');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.line.agent a.file').waitFor();
    await page.locator('.line.agent a.image img').click();
    await page.getByRole('dialog', { name: 'photo.png' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => files.count()).toBe(0);
    const [first, ...more] = await talk.lines();
    expect(first).toBe('agent: Look at these');
    expect(more).toEqual([
      expect.stringMatching(/^agent: http.*\/f\/[\w-]{43}$/),
      expect.stringMatching(/^agent: http.*\/f\/[\w-]{43}$/),
    ]);
    await keepShot(page, 'console-files-sent');
    expect(complaints).toEqual([]);
  });

  test('a file of a note stays with the note, and a failed upload can be tried again or removed', async () => {
    const talk = await newTalk(on.product);
    const { page } = await openConversation(talk.id);
    let isDown = true;
    await page.route('**/files?*', (route) => (isDown ? route.abort() : route.continue()));
    await page.getByRole('tab', { name: 'Note' }).click();
    await page.getByLabel('Attach files').setInputFiles(NOTES);
    await page.getByText('The upload failed.').waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Upload notes.txt again' }).click();
    const file = page.getByRole('list', { name: 'Files' }).getByRole('listitem');
    await file.and(page.locator('.sent')).waitFor();
    await page.getByRole('tab', { name: 'Reply' }).click();
    await file.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Note' }).click();
    await file.waitFor();
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.line.backchannel a.file').waitFor();
    await page.locator('.row[aria-current]', { hasText: 'Grace: File' }).waitFor();
  });
});
