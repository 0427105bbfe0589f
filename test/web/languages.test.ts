import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { getTexts } from '../../web/texts/languages.ts';
import { acceptedLanguages, chooseLanguage } from '../../domain/languages.ts';
import { keepShot } from './browser.ts';
import { newTalk } from './conversation.ts';
import type { Talk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_languages');

/** Creates a conversation whose contact has this locale. */
async function talkIn(locale: string): Promise<Talk> {
  const talk = await newTalk(on.product);
  await talk.say({ type: 'field', text: `.locale ${locale}` });
  await talk.say({ text: 'xyz', actions: [{ type: 'locationRequest', text: 'xyz' }] });
  return talk;
}

interface Side {
  left: number;
  right: number;
}

/** Returns all texts of the page, including those for screen readers. */
async function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('*')].flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()),
    ...['aria-label', 'placeholder', 'alt', 'title'].map((name) => element.getAttribute(name) ?? ''),
  ]).filter((words) => words !== '')`);
}

const allTexts = (language: string) =>
  Object.values(getTexts(language)).flatMap((text) =>
    typeof text === 'string' ? [text] : typeof text === 'function' ? [] : Object.values(text),
  );

describe('the chat page of a contact', () => {
  test.each([
    ['de-AT', 'de', 'Verbunden'],
    ['nl', 'nl', 'Verbonden'],
    ['fr_CH', 'fr', 'Connecté'],
    ['es', 'es', 'Conectado'],
  ])(
    'the chat page of a contact with the locale %s contains no English',
    async (locale, language, connected) => {
      const talk = await talkIn(locale);
      const html = await (await fetch(talk.url)).text();
      expect(html).toContain(`<html lang="${locale.replace('_', '-')}">`);
      expect(html).toContain(getTexts(language).needsJavaScript);
      const { page } = await on.open(talk.url);
      await page.getByText(connected).waitFor();
      await page.getByRole('button', { name: 'xyz' }).click();
      await page.getByPlaceholder(getTexts(language).writePlace).waitFor();
      await keepShot(page, `language-${language}`);
      const words = await wordsOf(page);
      expect(words).toContain(getTexts(language).today);
      const english = allTexts('en').filter((text) => !allTexts(language).includes(text));
      expect(english.length).toBeGreaterThan(20);
      expect(words.filter((one) => english.includes(one))).toEqual([]);
    },
  );

  test('the chat page of a contact without a locale uses the language of the browser', async () => {
    const talk = await newTalk(on.product);
    const dutch = await on.open(talk.url, { locale: 'nl-BE' });
    await dutch.page.getByText('Verbonden').waitFor();
    const polish = await on.open(talk.url, { locale: 'pl-PL' });
    await polish.page.getByText('Connected').waitFor();
  });

  test('the chat page of a contact with an unsupported locale uses the language of the browser', async () => {
    const talk = await talkIn('pl');
    const { page } = await on.open(talk.url, { locale: 'de-DE' });
    await page.getByText('Verbunden').waitFor();
  });

  test('the chat page formats times for the language and region of the contact', async () => {
    const talk = await talkIn('en-US');
    const { page } = await on.open(talk.url, { locale: 'de-DE' });
    await page.locator('time', { hasText: /\d [AP]M/ }).waitFor();
    const other = await talkIn('en-GB');
    await page.goto(other.url);
    await page.getByText('Connected').waitFor();
    await expect.poll(() => page.locator('.author time').textContent()).toMatch(/^\d\d:\d\d$/);
  });

  test('the chat page shows a refusal in the language of the contact', async () => {
    const talk = await talkIn('de');
    const { page } = await on.open(talk.url);
    await page.getByText('Verbunden').waitFor();
    await page.route('**/messages', (route) =>
      route.fulfill({ status: 422, json: { message: 'This is too much.' } }),
    );
    await page.getByRole('textbox').fill('zu viel');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await expect
      .poll(() => alert.textContent())
      .toBe('Die Nachricht wurde nicht angenommen. This is too much. Entfernen');
    await alert.getByRole('button', { name: 'Entfernen' }).click();
    await alert.waitFor({ state: 'detached' });
  });
});

test('a chat page whose conversation does not exist uses the language of the browser', async () => {
  const { page } = await on.open(`${on.product.origin}/c/nosuchconversation`, { locale: 'fr-FR' });
  await page.getByRole('heading', { name: getTexts('fr').notFound }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fr-FR');
});

test('the chat page renders each line in its own direction', async () => {
  const talk = await newTalk(on.product);
  await talk.say('A first line that is clearly longer than the second\nمرحبا');
  const { page } = await on.open(talk.url);
  await page.getByText('A first line').waitFor();
  const [latin, arabic] = await page.evaluate<[Side, Side]>(`(() => {
    const node = document.querySelector('.text').firstChild;
    const sides = (from, to) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    };
    const { length } = node;
    return [sides(0, length - 6), sides(length - 5, length)];
  })()`);
  expect(arabic.right).toBeCloseTo(latin.right, -1);
  expect(arabic.left).toBeGreaterThan(latin.left + 100);
});

describe('the choice of a language', () => {
  test.each([
    [['de-AT', 'en'], 'de-AT'],
    [['DE_at'], 'de-AT'],
    [['pl', 'nl'], 'nl'],
    [['"><script>', '*', '', 'fr'], 'fr'],
    [['constructor', '__proto__'], 'en'],
    [[], 'en'],
  ])('the language chosen for %j is %s', (wanted, chosen) => {
    expect(chooseLanguage(wanted)).toBe(chosen);
  });

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', ['de-AT', 'de', 'en']],
    ['en;q=0.2, nl ; q=0.7,fr;q=0', ['nl', 'en']],
    ['', ['']],
    [';;q=x,,', ['', '']],
  ])('the languages of an Accept-Language header are in order of preference: %s', (header, languages) => {
    expect(acceptedLanguages(header)).toEqual(languages);
  });
});
