import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/node-process.ts';
import { startApi } from '../support/shared-servers.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_reconnect', startApi);

describe('a page whose server dies', () => {
  test('says so, keeps what is said, and goes on without losing or doubling a message', async () => {
    const talk = await newTalk(on.product);
    const { page } = await on.open(talk.url);
    await page.getByText('Connected').waitFor();
    const say = async (text: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await page.keyboard.press('Enter');
    };
    await say('one');
    await talk.say('two');
    await page.getByText('two').waitFor();
    // The answer to this one may be lost while its message is stored, or not.
    await say('three');
    await on.product.api.kill();
    await page.getByText('Reconnecting').waitFor();
    await say('four');
    await say('five');
    expect(await page.locator('.waiting').count()).toBeGreaterThanOrEqual(2);
    const again = startNode('dist/api/main.js', { env: on.product.environment });
    try {
      await eventually(async () => (await fetch(`${on.product.origin}/readyz`)).ok, { withinMs: 60_000 });
      await page.getByText('Connected').waitFor();
      await talk.say('six');
      await page.getByText('six').waitFor();
      await eventually(async () => (await page.locator('.waiting').count()) === 0);
      const said = ['one', 'two', 'three', 'four', 'five', 'six'];
      const lines = (await talk.lines()).map((line) => line.split(': ')[1]);
      expect([...lines].sort()).toEqual([...said].sort());
      expect(lines.filter((line) => line !== 'six' && line !== 'two')).toEqual([
        'one',
        'three',
        'four',
        'five',
      ]);
      await eventually(async () => {
        const shown = await page.locator('.message .text').allTextContents();
        return shown.join() === lines.join();
      });
    } finally {
      await again.stop();
    }
  });

  test('sends what was said before a reload, once', async () => {
    const again = startNode('dist/api/main.js', { env: on.product.environment });
    await eventually(async () => (await fetch(`${on.product.origin}/readyz`)).ok, { withinMs: 30_000 });
    try {
      const talk = await newTalk(on.product);
      const { page } = await on.open(talk.url);
      await page.getByText('Connected').waitFor();
      await page.route('**/messages', (route) =>
        route.request().method() === 'POST' ? route.fetch().then(() => route.abort()) : route.continue(),
      );
      await page.getByRole('textbox', { name: 'Message' }).fill('only once');
      await page.keyboard.press('Enter');
      await eventually(async () => (await talk.lines()).length === 1);
      await page.unrouteAll({ behavior: 'wait' });
      await page.reload();
      await page.locator('.message').getByText('only once').waitFor();
      await eventually(async () => (await page.locator('.waiting').count()) === 0);
      expect(await talk.lines()).toEqual(['contact: only once']);
    } finally {
      await again.stop();
    }
  });
});
