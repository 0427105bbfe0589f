import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { MailServer } from '../support/mail-server.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_transcript');

async function openTranscript() {
  const talk = await newTalk(on.product);
  await talk.say({ text: 'Good morning', role: 'agent' });
  const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
  const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Transcript' }).click();
  return { talk, page, dialog: page.getByRole('dialog', { name: 'Transcript' }) };
}

describe('the transcript of a conversation in the console', () => {
  test('an agent downloads the transcript of a conversation', async () => {
    const { page, dialog } = await openTranscript();
    await dialog.getByText('the contact needs an email address').waitFor();
    expect(await axeFinds(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('transcript.txt');
  });

  test('an agent sends the transcript to the contact by mail', async () => {
    const server = await new MailServer().start();
    const { admin, organization } = on.product;
    const params = server.params();
    const { body } = await admin.post('/services', { organization, name: 'Mail', type: 'email', params });
    try {
      const { page, dialog } = await openTranscript();
      await dialog.getByRole('button', { name: 'Download' }).waitFor();
      await keepShot(page, 'transcript');
      await dialog.getByRole('button', { name: /^Send to contact-\d+@example.com by email$/ }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.line.agent', { hasText: 'transcript.txt' }).waitFor();
      const [mail] = await eventually(() => server.received.length > 0 && server.received);
      expect(mail?.mail.attachments.map(({ filename }) => filename)).toEqual(['transcript.txt']);
    } finally {
      await admin.request('DELETE', `/services/${body.id}`);
      await server.close();
    }
  });
});
