import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { PNG, upload } from '../support/files.ts';
import { keepShot } from './browser.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_files');

const PHOTO = readFileSync('docs/pictures/messages/image.png');
const chooser = (page: Page) => page.getByLabel('Attach files');
const picture = (name: string, buffer = PHOTO) => ({ name, mimeType: 'image/png', buffer });
const text = (name: string, words: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(words) });
const list = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem');

/** Fires an event with a file at an element, as the browser does for a drop or a paste. */
const fire = (page: Page, selector: string, event: 'drop' | 'dragover' | 'paste') =>
  page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], '${event}.txt', { type: 'text/plain' }));
    const given = { bubbles: true, cancelable: true };
    document.querySelector('${selector}').dispatchEvent(
      '${event}' === 'paste'
        ? new ClipboardEvent('paste', { ...given, clipboardData: data })
        : new DragEvent('${event}', { ...given, dataTransfer: data }),
    );
  }`);

describe('the chat page', () => {
  test('a contact sends a text and several files together', async () => {
    const talk = await newTalk(on.product);
    const { page, complaints } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    await chooser(page).setInputFiles([picture('one.png'), text('notes.txt', 'hello')]);
    await eventually(async () => (await list(page).and(page.locator('.sent')).count()) >= 2);
    await page.getByRole('textbox', { name: 'Message' }).fill('Look at these');
    await keepShot(page, 'files-chosen');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.message.contact a.image img').waitFor();
    await page.locator('.message.contact a.file').waitFor();
    await expect.poll(() => list(page).count()).toBe(0);
    await eventually(async () => (await talk.lines()).length >= 3);
    const [first, ...files] = await talk.lines();
    expect(first).toBe('contact: Look at these');
    for (const line of files) expect(line).toMatch(/^contact: http.*\/f\/[\w-]{43}$/);
    await expect
      .poll(() => page.locator('.message.contact a.file').innerText())
      .toMatch(/TXT\s+notes\.txt 5 bytes/);
    const loaded = 'document.querySelector(".message a.image img").naturalWidth';
    await eventually(() => page.evaluate<number>(loaded));
    await keepShot(page, 'files-sent');
    expect(complaints).toEqual([]);
  });

  test('a picture opens in the viewer, which leads to the other pictures', async () => {
    const talk = await newTalk(on.product);
    for (const name of ['first.png', 'second.png']) {
      const { body } = await upload(`${talk.url}/files?name=${name}`, PNG);
      await talk.say(body.url as string);
    }
    const { page } = await on.open(talk.url);
    await page.locator('a.image img').first().click();
    const viewer = page.getByRole('dialog');
    await viewer.getByText('first.png').waitFor();
    await page.keyboard.press('ArrowRight');
    await viewer.getByText('second.png').waitFor();
    await viewer.getByText('2 / 2').waitFor();
    await keepShot(page, 'files-viewer');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
  });

  test('dropped and pasted files are attached, and can be removed again', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    await fire(page, '.log', 'dragover');
    await page.getByText('Drop files here').waitFor();
    await fire(page, '.log', 'drop');
    await page.getByText('Drop files here').waitFor({ state: 'detached' });
    await list(page).getByText('drop.txt').waitFor();
    await fire(page, '#say', 'paste');
    await list(page).getByText('paste.txt').waitFor();
    await page.getByRole('button', { name: 'Remove drop.txt' }).click();
    await expect.poll(() => list(page).count()).toBe(1);
  });

  test('an upload that failed can be tried again, and a message without text is sent', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    let isDown = true;
    await page.route('**/files?*', (route) => (isDown ? route.abort() : route.continue()));
    await chooser(page).setInputFiles(text('again.txt', 'hello'));
    await page.getByText('The upload failed.').waitFor();
    await keepShot(page, 'files-failed');
    isDown = false;
    await page.getByRole('button', { name: 'Upload again.txt again' }).click();
    await list(page).and(page.locator('.sent')).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.message.contact a.file').waitFor();
  });

  test('a file above the limit is refused before it is sent, in the reader’s language', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url, { locale: 'de' });
    await page.getByLabel('Dateien anhängen').setInputFiles({
      name: 'large.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(16 * 1024 * 1024 + 1),
    });
    await page.getByText('Eine Datei darf höchstens 16 MB haben.').waitFor();
  });

  test('an upload can be cancelled, and a message waits for its uploads', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    // A request without a response stays under way.
    await page.route('**/files?*', () => undefined);
    await chooser(page).setInputFiles(text('slow.txt', 'hello'));
    await page.getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('wait');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('wait');
    await page.getByRole('button', { name: 'Remove slow.txt' }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await eventually(async () => (await talk.lines()).includes('contact: wait'));
  });

  test.each([
    ['dark', { colorScheme: 'dark' as const, viewport: { width: 900, height: 700 } }],
    ['phone', { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true }],
  ])('the %s page shows files of all kinds within its width', async (name, options) => {
    const talk = await newTalk(on.product);
    const kinds: [string, Buffer][] = [
      ['photo.png', PHOTO],
      ['a very long name of a document that does not fit into one line.pdf', Buffer.from('%PDF-1.7\n')],
      ['voice.wav', Buffer.from('524946462400000057415645666d74201000000001000100', 'hex')],
      ['clip.webm', Buffer.from('1a45dfa3934282847765626d', 'hex')],
    ];
    for (const [file, content] of kinds) {
      const { body } = await upload(`${talk.url}/files?name=${encodeURIComponent(file)}`, content);
      await talk.say(body.url as string);
    }
    const { page } = await on.open(talk.url, options);
    await page.locator('a.image img').waitFor();
    await chooser(page).setInputFiles([picture('mine.png'), text('notes.txt', 'hello')]);
    await eventually(async () => (await list(page).and(page.locator('.sent')).count()) >= 2);
    await keepShot(page, `files-${name}`);
    const width = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate<number>(width)).toBeLessThanOrEqual(0);
    await expect.poll(() => page.getByLabel('Take a picture').count()).toBe(name === 'phone' ? 1 : 0);
  });
});
