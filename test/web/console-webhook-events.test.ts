import { describe, expect, test } from 'vitest';
import { parsePattern } from '../../domain/events/event-pattern.ts';
import { startReceiver } from '../support/receiver.ts';
import { webhooks } from '../../web/console/webhooks/texts.ts';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { stage } from './stage.ts';

const on = stage('console_webhook_events');

describe('the events of a webhook in the console', () => {
  test.each(Object.keys(webhooks.eventWords))(
    'the common event %s is a pattern that events match',
    (pattern) => {
      expect(parsePattern(pattern)).toBe(pattern);
    },
  );

  test('an admin ticks common events, and writes further patterns', async () => {
    const receiver = await startReceiver();
    const boss = await newPerson(on.product, { role: 'admin' });
    const { page } = await openConsole(on, boss, { place: '#/webhooks' });
    await page.getByRole('button', { name: 'New webhook' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('ticked');
    await form.getByLabel('Address').fill(receiver.url);
    const patterns = form.getByRole('textbox', { name: 'Events', exact: true });
    await form.getByRole('checkbox', { name: 'A contact writes' }).check();
    await form.getByRole('checkbox', { name: 'A contact is deleted' }).check();
    expect(await patterns.inputValue()).toBe('message.create.*.chat.contact\ncontact.delete');
    await patterns.fill(`${await patterns.inputValue()}\nkbitem.create\nuser.login`);
    expect(await form.getByRole('checkbox', { name: 'A user signs in' }).isChecked()).toBe(true);
    await form.getByRole('checkbox', { name: 'A contact is deleted' }).uncheck();
    await keepShot(page, 'webhook-events');
    expect(await axeFinds(page)).toEqual([]);
    await form.getByRole('button', { name: 'Add and verify' }).click();
    await page.getByText('Healthy').waitFor();
    const { body } = await on.product.admin.get('/services?name=ticked');
    expect(body[0].params.events).toEqual(['message.create.*.chat.contact', 'kbitem.create', 'user.login']);
    await on.product.admin.request('DELETE', `/services/${body[0].id}`);
    await receiver.close();
  });
});
