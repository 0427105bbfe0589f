import type { Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('console_races');

/**
 * Opens an address (`#/…`) or presses a button, types into the labelled field before it is painted,
 * and leaves the field.
 */
async function typeAtOnce(page: Page, place: string, label: string, text: string): Promise<void> {
  await page.evaluate(`(async (place, label, text) => {
    const find = (tag, text) => [...document.querySelectorAll(tag)].find((one) => one.textContent.trim() === text);
    const press = () => document.querySelector('button[aria-label="' + place + '"]').click();
    // An observer is called in a microtask, thus before the paint.
    const appeared = new Promise((resolve) => {
      const observer = new MutationObserver(() => find('label', label) && resolve(find('label', label).control));
      observer.observe(document.body, { subtree: true, childList: true });
    });
    place.startsWith('#') ? (location.hash = place) : press();
    const field = await appeared;
    field.focus();
    document.execCommand('insertText', false, text);
    // The console renders in microtasks.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    field.blur();
  })(${[place, label, text].map((one) => JSON.stringify(one)).join(', ')})`);
}

/** Holds requests that `isHeld` selects until `release` is called. */
async function holdRequests(page: Page, isHeld: (route: Route) => boolean) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = 0;
  await page.route('**/v2/**', async (route) => {
    if (isHeld(route)) {
      held += 1;
      await released;
    }
    // The page may have aborted the request.
    await route.continue().catch(() => undefined);
  });
  return { release, count: () => held };
}

const isPost = (route: Route) => route.request().method() === 'POST';

async function openTalk() {
  const talk = await newTalk(on.product);
  const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
  const { page } = await openConsole(on, agent, { place: `#/inbox/all/${talk.id}` });
  const reply = page.getByRole('textbox', { name: 'Write to the contact' });
  const note = page.getByRole('textbox', { name: 'Write to colleagues' });
  const openTab = (name: string) => page.getByRole('tab', { name }).click();
  return { talk, page, reply, note, openTab };
}
describe('text that is typed as soon as a field appears', () => {
  test('a filter that is typed as soon as its field appears narrows the list', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
    await typeAtOnce(page, 'Filter', 'Category', 'returns');
    await page.getByRole('button', { name: 'Remove the filter returns' }).waitFor();
  });

  test('a name that is typed as soon as the form of a record appears stays in the form', async () => {
    const admin = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
    const { page } = await openConsole(on, admin, { place: '#/inbox/all' });
    const { body: group } = await on.product.admin.post('/orggroups', { name: 'Shops' });
    await typeAtOnce(page, `#/settings/orggroups/${group.id}`, 'Name', ' in Utrecht');
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await expect.poll(() => field.inputValue()).toContain('in Utrecht');
  });
});

/** Runs steps in one task of the browser, thus before a `hashchange` that the first step causes. */
async function actAtOnce(page: Page, ...steps: string[]): Promise<void> {
  await page.evaluate(`(async () => {
    const chip = (name) => document.querySelector('button[aria-label="Remove the filter ' + name + '"]');
    const link = (id) => document.querySelector('a.row[href*="' + id + '"]');
    const choose = (label, value) => {
      const { control } = [...document.querySelectorAll('label')].find((one) => one.textContent === label);
      control.value = value;
      control.dispatchEvent(new Event('input', { bubbles: true }));
      control.dispatchEvent(new Event('change', { bubbles: true }));
    };
    for (const step of [${steps.map((step) => `() => ${step}`).join(', ')}]) {
      step();
      // The console renders in microtasks.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    }
  })()`);
}

describe('the route', () => {
  test('a filter that is changed right after another filter was removed keeps the other removed', async () => {
    const agent = await newPerson(on.product, { role: 'agent', givenName: 'Grace' });
    const { page } = await openConsole(on, agent, { place: '#/inbox/all?channel=sms' });
    await page.getByRole('button', { name: 'Filter', exact: false }).first().click();
    await page.getByLabel('Status', { exact: true }).waitFor();
    await actAtOnce(page, `chip('SMS').click()`, `choose('Status', 'closed')`);
    await page.getByRole('button', { name: 'Remove the filter Closed' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/inbox/all?status=closed');
    await page.goBack();
    expect(new URL(page.url()).hash).toBe('#/inbox/all');
    await page.goBack();
    await page.getByRole('button', { name: 'Remove the filter SMS' }).waitFor();
  });

  test('a conversation stays open if a filter is set right after its link was pressed', async () => {
    const { talk, page } = await openTalk();
    const { id } = await newTalk(on.product);
    await page.locator(`a.row[href*="${id}"]`).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: false }).first().click();
    await page.getByLabel('Status', { exact: true }).waitFor();
    await actAtOnce(page, `link('${id}').click()`, `choose('Status', 'queued')`);
    await page.getByRole('button', { name: 'Remove the filter Queued' }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/inbox/all/${id}?status=queued`);
    await page.goBack();
    await page.goBack();
    expect(new URL(page.url()).hash).toBe(`#/inbox/all/${talk.id}`);
  });
});

describe('drafts', () => {
  test('the unsaved profile of a contact is still there after another conversation and a reload', async () => {
    const other = await newTalk(on.product);
    const { talk, page } = await openTalk();
    await page.setViewportSize({ width: 1440, height: 900 });
    const details = page.getByRole('complementary', { name: 'Details' });
    const name = details.getByLabel('Name', { exact: true });
    await details.getByRole('button', { name: 'Edit' }).click();
    await name.fill('Ada Lovelace');
    await page.locator(`a.row[href*="${other.id}"]`).click();
    await details.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await name.count()).toBe(0);
    await page.locator(`a.row[href*="${talk.id}"]`).click();
    expect(await name.inputValue()).toBe('Ada Lovelace');
    await page.reload();
    expect(await name.inputValue()).toBe('Ada Lovelace');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByText('Ada Lovelace').waitFor();
    await details.getByRole('button', { name: 'Edit' }).click();
    await name.fill('Nobody');
    await details.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await details.getByText('Ada Lovelace').waitFor();
    expect(await name.count()).toBe(0);
  });

  test('text that is written while a reply is being sent stays in the field and in the draft', async () => {
    const { talk, page, reply } = await openTalk();
    const requests = await holdRequests(page, isPost);
    await reply.fill('first');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(requests.count).toBeGreaterThan(0);
    await reply.pressSequentially(' and the second half');
    requests.release();
    await page.locator('.line.agent', { hasText: 'first' }).waitFor();
    await expect.poll(() => reply.inputValue()).toBe(' and the second half');
    // The line may come before the response. Until then the draft has both texts.
    await expect.poll(() => reply.getAttribute('placeholder')).not.toBe('Sending…');
    await page.reload();
    await expect.poll(() => reply.inputValue()).toBe(' and the second half');
    expect(await talk.lines()).toEqual(['agent: first']);
  });

  test('a reply that is replaced while it is being sent is neither cut nor sent twice', async () => {
    const { talk, page, reply } = await openTalk();
    const requests = await holdRequests(page, isPost);
    await reply.fill('yes');
    await reply.press('Control+Enter');
    await expect.poll(requests.count).toBeGreaterThan(0);
    await reply.fill('yesterday it was open');
    await reply.press('Control+Enter');
    requests.release();
    await page.locator('.line.agent', { hasText: 'yes' }).waitFor();
    await expect.poll(() => reply.inputValue()).toBe('yesterday it was open');
    await reply.press('Control+Enter');
    await page.locator('.line.agent', { hasText: 'yesterday' }).waitFor();
    expect(await talk.lines()).toEqual(['agent: yes', 'agent: yesterday it was open']);
  });

  test('a refused reply returns in front of the text and quick replies that were written meanwhile', async () => {
    const { page, reply } = await openTalk();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let posts = 0;
    await page.route('**/messages', async (route) => {
      if (!isPost(route)) return route.continue();
      posts += 1;
      await released;
      return route.fulfill({ status: 422, json: { code: 'unreachable', message: 'Not today.' } });
    });
    await reply.fill('first');
    await reply.press('Control+Enter');
    await expect.poll(() => posts).toBe(1);
    await reply.fill('second');
    await page.getByLabel('Quick replies').fill('Yes');
    release();
    await page.getByRole('alert').getByText('Not today.').waitFor();
    expect(await reply.inputValue()).toBe('first\nsecond');
    await page.reload();
    await expect.poll(() => reply.inputValue()).toBe('first\nsecond');
    expect(await page.getByLabel('Quick replies').inputValue()).toBe('Yes');
  });

  test('a note stays a note after a reload, after another conversation, and in a second tab', async () => {
    const { talk, page, reply, note, openTab } = await openTalk();
    await openTab('Note');
    await note.fill('this customer never pays');
    await page.reload();
    await expect.poll(() => note.inputValue()).toBe('this customer never pays');
    await page.goto(`${on.product.origin}/console#/inbox/all/${(await newTalk(on.product)).id}`);
    await reply.waitFor();
    await page.goBack();
    await expect.poll(() => note.inputValue()).toBe('this customer never pays');
    const second = await page.context().newPage();
    await second.goto(page.url());
    const there = second.getByRole('textbox', { name: 'Write to colleagues' });
    await expect.poll(() => there.inputValue()).toBe('this customer never pays');
    await there.press('Control+Enter');
    await page.locator('.line.backchannel').waitFor();
    const { body } = await on.product.admin.get(`/conversations/${talk.id}/messages?isBackchannel=false`);
    expect(JSON.stringify(body)).not.toContain('never pays');
  });

  test('quick replies survive a reload, and Enter in their field does not send the reply', async () => {
    const { talk, page, reply } = await openTalk();
    const labels = page.getByLabel('Quick replies');
    await reply.fill('Shall we come today?');
    await labels.fill('Yes, No');
    await labels.press('Enter');
    await page.reload();
    await expect.poll(() => labels.inputValue()).toBe('Yes, No');
    await reply.press('Control+Enter');
    await page.locator('.line.agent', { hasText: 'today?' }).waitFor();
    const { body } = await on.product.admin.get(`/conversations/${talk.id}/messages?role=agent`);
    expect(body).toMatchObject([{ actions: [{ text: 'Yes' }, { text: 'No' }] }]);
  });

  test('a text that is too long is not cut, and the page shows by how much it is too long', async () => {
    const { page, reply } = await openTalk();
    await reply.fill('x'.repeat(32_507));
    await page.getByText('The text is too long. Remove 507 characters.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });

  test('a note is never sent to the contact, even if Send is pressed as soon as the tab changes', async () => {
    const { talk, page, reply, note, openTab } = await openTalk();
    await openTab('Note');
    await note.fill('he is a difficult customer');
    await page.evaluate(`(async () => {
      document.querySelector('[role=tab][aria-selected=false]').click();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      document.querySelector('.reply button[type=submit]').click();
    })()`);
    await reply.fill('How can I help?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.line.agent', { hasText: 'How can I help?' }).waitFor();
    expect(await talk.lines()).toEqual(['agent: How can I help?']);
  });
});

describe('late responses', () => {
  test('a found row stays while the search for further letters runs', async () => {
    const { talk, page } = await openTalk();
    await talk.say({ text: 'My casco number is 48213', role: 'contact' });
    const isLater = (route: Route) => /search.*48213/.test(route.request().url());
    const requests = await holdRequests(page, isLater);
    const search = page.getByRole('searchbox', { name: 'Search conversations' });
    const row = page.locator('.row', { has: page.locator('mark') }).first();
    await search.fill('482');
    await row.waitFor();
    await search.fill('48213');
    await expect.poll(requests.count).toBeGreaterThan(0);
    expect(await row.isVisible()).toBe(true);
    requests.release();
    await page.locator('.row mark', { hasText: '48213' }).first().waitFor();
  });

  test('a poll that began before a change does not replace the response to the change', async () => {
    const { body: service } = await on.product.admin.post('/services', {
      ...{ type: 'webhook', name: 'Pulled', params: { events: ['message'] } },
    });
    expect(service).toMatchObject({ status: 'active' });
    const admin = await newPerson(on.product, { role: 'admin', givenName: 'Ada' });
    const { page } = await openConsole(on, admin, { place: `#/webhooks/services/${service.id}` });
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    await page.route(`**/v2/services/${service.id}`, async (route) => {
      const response = await route.fetch();
      if (route.request().method() === 'GET' && (reads += 1) === 1) await released;
      // The page may have aborted the request.
      await route.fulfill({ response }).catch(() => undefined);
    });
    await expect.poll(() => reads).toBe(1);
    await page.evaluate(`
      window.badges = [];
      new MutationObserver(() => badges.push(document.querySelector('.head .badge').textContent)).observe(
        document.querySelector('.head'), { subtree: true, childList: true, characterData: true });
    `);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.head .badge', { hasText: 'Paused' }).waitFor();
    release();
    await expect.poll(() => reads).toBeGreaterThan(2);
    expect(new Set(await page.evaluate<string[]>('badges'))).toEqual(
      new Set(['Paused: Paused by an admin.']),
    );
  });

  test('a dialog that is opened while a command runs stays open', async () => {
    const { page } = await openTalk();
    const requests = await holdRequests(page, isPost);
    await page.getByRole('button', { name: 'Take' }).click();
    await expect.poll(requests.count).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Assign to' }).click();
    const responded = page.waitForResponse((response) => response.request().method() === 'POST');
    requests.release();
    await responded;
    await page.locator('.deed', { hasText: 'took this' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  test('a list of the inbox looks back some seconds, because changes become visible late', async () => {
    const { talk, page } = await openTalk();
    const sinces: number[] = [];
    page.on('request', (request) => {
      const since = new URL(request.url()).searchParams.get('updatedAt');
      if (since) sinces.push(Date.parse(since.replace('>=', '')));
    });
    const { body } = await on.product.admin.get(`/conversations/${talk.id}`);
    await talk.say({ text: 'a change', role: 'contact' });
    await expect.poll(() => sinces.length).toBeGreaterThan(0);
    expect(Math.min(...sinces)).toBeLessThanOrEqual(Date.parse(body.updatedAt) - 9_000);
  });

  test('a search of contacts keeps the space that is typed before a pause', async () => {
    const { page } = await openTalk();
    await page.goto(`${on.product.origin}/console#/contacts`);
    const search = page.getByRole('searchbox', { name: 'Search contacts' });
    await search.fill('Ada ');
    await page.waitForURL(/[?&]q=Ada$/);
    await search.pressSequentially('Lovelace');
    expect(await search.inputValue()).toBe('Ada Lovelace');
  });
});
