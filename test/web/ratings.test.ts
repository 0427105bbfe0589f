import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUser } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_ratings');
let agent: KeyHolder;

beforeAll(async () => {
  const { admin, organization } = on.product;
  agent = await newUser(on.product, { role: 'agent', givenName: 'Grace', familyName: 'Hopper' });
  const fields = ['rating', 'comment'].map((key) => ({ name: key, key }));
  const { body } = await admin.post('/forms', { name: 'Satisfaction', fields });
  const path = `/organizations/${organization}`;
  expect((await admin.request('PATCH', path, { ratingForm: body.id })).status).toBe(200);
});

describe('a conversation that is taken over, closed and rated', () => {
  test.each([
    ['light', { colorScheme: 'light' as const }],
    ['dark phone', { colorScheme: 'dark' as const, viewport: { width: 360, height: 740 } }],
  ])(
    'the chat page shows who has taken over, and asks for a rating after the closing (%s)',
    async (name, options) => {
      const talk = await newTalk(on.product);
      for (let at = 0; at < 9; at += 1) await talk.say(`line ${at}.`);
      const command = (text: string) =>
        agent.post(`/conversations/${talk.id}/messages`, { type: 'command', text });
      const { page, complaints } = await on.open(talk.url, options);
      await page.getByText('Connected').waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('My parcel is lost');
      await page.keyboard.press('Enter');
      await eventually(async () => (await talk.lines()).includes('contact: My parcel is lost'));
      await command('/accept');
      await page.getByText('Grace Hopper has taken over the conversation.').waitFor();
      await command('/leave');
      await page.getByText('This conversation was closed.').waitFor();
      await page.getByText('4 of 5').waitFor();
      await page.getByRole('radio', { name: '4 of 5' }).check();
      // The card grows at the end of the list, which stays at its end.
      await eventually(async () => {
        const button = await page.getByRole('button', { name: 'Send rating' }).boundingBox();
        const composer = await page.locator('.composer').boundingBox();
        return button !== null && composer !== null && button.y + button.height <= composer.y;
      });
      await page.getByLabel('What could we do better?').fill('Answer sooner');
      await keepShot(page, `rating ${name}`);
      expect(await axeFinds(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send rating' }).click();
      await page.getByText('Thank you for your rating.').waitFor();
      const list = await on.product.admin.get(`/conversations/${talk.id}/messages?type=results`);
      expect(list.body[0].results[0].values).toEqual({ rating: 4, comment: 'Answer sooner' });
      await page.reload();
      await page.getByText('This conversation was closed.').waitFor();
      expect(await page.getByRole('radio').count()).toBe(0);
      expect(complaints).toEqual([]);
    },
  );
});
