import { describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_find');

describe('finding a message', () => {
  test('a search lists several conversations whose messages have the words', async () => {
    const talks = [await newTalk(on.product), await newTalk(on.product), await newTalk(on.product)];
    for (const talk of talks) await talk.say({ text: 'Is the zeppelin in stock?', role: 'contact' });
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('zeppelin');
    await expect.poll(() => page.locator('.row mark', { hasText: 'zeppelin' }).count()).toBe(3);
  });

  test('an agent finds an old message of the conversation, and no message of another conversation', async () => {
    const [talk, other] = [await newTalk(on.product), await newTalk(on.product)];
    await other.say('The casco number is 1');
    await talk.say({ text: 'My casco number is 48213', role: 'contact' });
    const texts = Array.from({ length: 150 }, (_, at) => ({ text: `later ${at}`, role: 'bot' }));
    for (const part of [texts.slice(0, 75), texts.slice(75)])
      await on.product.admin.post(`/conversations/${talk.id}/messages`, part);
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
    const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
    await page.getByText('later 149').first().waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Find in this conversation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Find in this conversation' });
    await dialog.getByRole('searchbox').fill('nothing like this');
    await dialog.getByText('Nothing found').waitFor();
    await dialog.getByRole('searchbox').fill('casco');
    await expect.poll(() => dialog.getByRole('link').count()).toBe(1);
    await keepShot(page, 'find-messages');
    expect(await axeFinds(page)).toEqual([]);
    await dialog.getByRole('link', { name: /48213/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const message = page.locator('.line', { hasText: 'My casco number is 48213' });
    await expect.poll(() => message.isVisible()).toBe(true);
    expect(page.url()).toMatch(/[?&]message=[0-9a-f]{24}$/);
  });
});
