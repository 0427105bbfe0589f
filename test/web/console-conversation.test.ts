import { describe, expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_conversation');

async function openTalk(person = { givenName: 'Grace' } as object) {
  const talk = await newTalk(on.product);
  const agent = await newPerson(on.product, { role: 'agent', ...person });
  const { page, complaints } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
  await page.getByRole('textbox', { name: 'Write to the contact' }).waitFor();
  const read = async () => (await on.product.admin.get(`/conversations/${talk.id}`)).body;
  return { talk, agent, page, complaints, read };
}

describe('a conversation in the console', () => {
  test('an agent takes, closes and reopens a conversation with one button', async () => {
    const { page, read } = await openTalk();
    for (const [press, next, status] of [
      ['Take', 'Close', 'active'],
      ['Close', 'Reopen', 'closed'],
      ['Reopen', 'Close', 'active'],
    ] as const) {
      await page.getByRole('button', { name: press, exact: true }).click();
      await page.getByRole('button', { name: next, exact: true }).waitFor();
      expect((await read()).status).toBe(status);
    }
    await page.locator('.deed', { hasText: 'Grace closed this' }).waitFor();
    await page.locator('.deed', { hasText: 'Grace reopened this' }).waitFor();
    expect(await page.locator('.deed', { hasText: 'Grace took this' }).count()).toBe(1);
  });

  test('an agent is online for colleagues from signing in to signing out', async () => {
    const { page } = await openTalk();
    const bea = await newPerson(on.product, { role: 'agent', givenName: 'Bea' });
    const statusOf = async () => (await on.product.admin.get(`/users/${bea.id}`)).body.status as string;
    expect(await statusOf()).toBe('offline');
    const other = await openConsole(on, bea);
    expect(await statusOf()).toBe('online');
    await page.getByRole('button', { name: 'Assign to' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Bea.*online/i })
      .waitFor();
    await other.page.getByRole('button', { name: 'Sign out' }).click();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await statusOf()).toBe('offline');
  });

  test('names and values with direction overrides read the same in the facts, the lists and the settings', async () => {
    const { admin } = on.product;
    const turned = (text: string) => text.replace('|', '\u202E');
    const { id } = await newTalk(on.product);
    const meta = { note: turned('invoice-|fdp.exe') };
    const { body } = await admin.request('PATCH', `/conversations/${id}`, {
      name: turned('Nick|ecila'),
      meta,
    });
    const profile = { name: turned('Pay |001'), givenName: turned('G|fdp.exe') };
    expect((await admin.request('PATCH', `/contacts/${body.contact}`, { profile })).status).toBe(200);
    const { body: form } = await admin.post('/forms', {
      name: turned('Form |gnp'),
      type: 'topic',
      fields: [],
    });
    const person = await newPerson(on.product, { role: 'admin', givenName: 'Grace' });
    const { page } = await openConsole(on, person, { place: `#/inbox/all/${id}` });
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('invoice-fdp.exe').waitFor();
    await page.getByText('Gfdp.exe').waitFor();
    const html = () => page.locator('#console').innerHTML();
    expect(await html()).not.toContain('\u202E');
    for (const place of [`#/settings/forms`, `#/contacts/${body.contact}`, '#/inbox/all']) {
      await page.goto(`${on.product.origin}/console${place}`);
      await page
        .locator('main')
        .getByText(/Form gnp|Gfdp|Nickecila/)
        .first()
        .waitFor();
      expect(await html(), place).not.toContain('\u202E');
    }
    await page.goto(`${on.product.origin}/console#/settings/forms/${form.id}`);
    // The field has the name as it is stored.
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await expect.poll(() => field.inputValue()).toBe(turned('Form |gnp'));
  });

  test('an agent assigns a conversation to a colleague, and the history shows the assignment in words', async () => {
    const bruno = await newPerson(on.product, { role: 'agent', givenName: 'Bruno', familyName: 'Schulz' });
    const { page, read } = await openTalk();
    await page.getByRole('button', { name: 'Take', exact: true }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Assign to' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Bruno Schulz' }).first().click();
    await page.locator('.deed', { hasText: 'Grace assigned this to Bruno Schulz' }).waitFor();
    // Grace no longer holds the conversation: it is handed over.
    await page.locator('.row .assignee', { hasText: '→ Bruno Schulz' }).waitFor();
    const { status, participants } = await read();
    expect(status).toBe('queued');
    const holders = participants.filter(
      (one: { inbox: boolean; accepted: boolean }) => one.inbox || one.accepted,
    );
    expect(holders).toEqual([expect.objectContaining({ user: bruno.id, inbox: true })]);
  });

  test('the second click of a double click on Take does not close the conversation', async () => {
    const { page, read } = await openTalk();
    await page.getByRole('button', { name: 'Take', exact: true }).click();
    const close = page.getByRole('button', { name: 'Close', exact: true });
    await close.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await page.locator('.deed', { hasText: 'took this' }).waitFor();
    expect((await read()).status).toBe('active');
    await close.click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect((await read()).status).toBe('closed');
  });

  test('an agent sees which colleague has taken a conversation and who is writing', async () => {
    const { page, talk } = await openTalk();
    const bruno = await newPerson(on.product, { role: 'agent', givenName: 'Bruno' });
    const other = await openConsole(on, bruno, { place: `#/inbox/all/${talk.id}` });
    await other.page.getByRole('button', { name: 'Take' }).click();
    await page.getByText('Bruno has taken this conversation.').waitFor();
    await other.page.getByRole('textbox', { name: 'Write to the contact' }).pressSequentially('One moment');
    await page.getByText('Bruno is writing…').waitFor();
    await expect.poll(() => other.page.getByText('Bruno is writing…').count()).toBe(0);
  });

  test('Enter sends a message unless the agent has turned that off', async () => {
    const { page, talk } = await openTalk();
    const field = page.getByRole('textbox', { name: 'Write to the contact' });
    await field.fill('first');
    await field.press('Enter');
    await page.locator('.line.agent', { hasText: 'first' }).waitFor();
    await page.getByLabel('Enter sends').uncheck();
    await page.reload();
    await field.fill('two');
    await field.press('Enter');
    await field.pressSequentially('lines');
    await expect.poll(() => field.inputValue()).toBe('two\nlines');
    await field.press('Control+Enter');
    await page.locator('.line.agent', { hasText: 'two' }).waitFor();
    expect((await talk.lines()).filter((line) => line.startsWith('agent'))).toEqual([
      'agent: first',
      'agent: two\nlines',
    ]);
  });

  test('a text that begins with a slash is a command or is refused, and is never sent to the contact', async () => {
    const { page, talk, read } = await openTalk();
    const field = page.getByRole('textbox', { name: 'Write to the contact' });
    await field.fill('/refund 48213');
    await field.press('Enter');
    await page.getByRole('alert').getByText('“/refund” is not a command.').waitFor();
    await expect.poll(() => field.inputValue()).toBe('/refund 48213');
    await field.fill('/close');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect((await read()).status).toBe('closed');
    const { body } = await on.product.admin.get(`/conversations/${talk.id}/messages?type=chat`);
    expect(body).toEqual([]);
  });

  test('a slash offers the knowledge items of the organization as answers', async () => {
    const { admin, organization } = on.product;
    await admin.post('/kbitems', { organization, title: 'Opening hours', content: 'We open at nine.' });
    const { page, talk } = await openTalk();
    const field = page.getByRole('textbox', { name: 'Write to the contact' });
    await field.pressSequentially('/open');
    await page.getByRole('option', { name: 'Opening hours' }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('We open at nine.');
    await field.press('Enter');
    await page.locator('.line.agent', { hasText: 'We open at nine.' }).waitFor();
    expect(await talk.lines()).toContain('agent: We open at nine.');
  });

  test('a note mentions a colleague, whose list Mine then has the conversation', async () => {
    const mei = await newPerson(on.product, { role: 'agent', givenName: 'Mei', familyName: 'Mentioned' });
    const { page, talk, read } = await openTalk();
    await page.getByRole('tab', { name: 'Note' }).click();
    const field = page.getByRole('textbox', { name: 'Write to colleagues' });
    await field.pressSequentially('please look @ment');
    await page.getByRole('option', { name: 'Mei Mentioned' }).click();
    await expect.poll(() => field.inputValue()).toBe('please look @Mei Mentioned ');
    await field.press('Enter');
    await page.locator('.line.backchannel', { hasText: '@Mei Mentioned' }).waitFor();
    expect((await read()).participants).toContainEqual(
      expect.objectContaining({ user: mei.id, inbox: true }),
    );
    const other = await openConsole(on, mei, { place: '#/inbox/mine' });
    await other.page.locator(`.row[href$="${talk.id}"]`).waitFor();
    await expect.poll(() => other.page.title()).toBe('(1) Inbox · Parlance');
  });

  test('the timeline shows days, groups messages of an author, and no screen shows the payload of a pressed quick reply', async () => {
    const { page, talk } = await openTalk();
    await talk.say({
      text: 'When shall we call?',
      actions: [{ type: 'reply', text: 'In the morning', payload: 'time=Morning' }],
    });
    await talk.say({ type: 'postback', role: 'contact', text: 'time=Morning' });
    await page.locator('.row', { hasText: 'Chose an answer' }).waitFor();
    await talk.say({ role: 'contact', text: 'Thanks' });
    const pressed = page.locator('.line.contact', { hasText: 'In the morning' });
    await pressed.waitFor();
    await expect.poll(() => pressed.locator('.author strong').textContent()).toBe('Ada');
    const thanks = page.locator('.line.contact', { hasText: 'Thanks' });
    await thanks.waitFor();
    await expect.poll(() => thanks.locator('.author').count()).toBe(0);
    await expect.poll(() => page.getByText('time=Morning').count()).toBe(0);
    const today = new Date().toLocaleDateString('en-US', { weekday: 'long', day: 'numeric', month: 'long' });
    await expect.poll(() => page.locator('.day').allTextContents()).toEqual([today]);
  });

  test('the menu of a conversation works by keyboard, and no part of the screen has findings of axe', async () => {
    const { page, complaints } = await openTalk();
    const more = page.getByRole('button', { name: 'More' });
    await more.press('Enter');
    await page.locator('[role=menuitem]:focus', { hasText: 'Snooze' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('[role=menuitem]:focus', { hasText: 'Block' }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await more.and(page.locator(':focus')).waitFor();
    await page.getByRole('tab', { name: 'Reply' }).press('ArrowRight');
    await page.getByRole('textbox', { name: 'Write to colleagues' }).waitFor();
    await page.getByRole('button', { name: 'Assign to' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^Me / }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
