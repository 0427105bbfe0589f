import { expect, test } from 'vitest';
import { getTexts } from '../../web/texts/languages.ts';
import { keepShot } from './browser.ts';
import { innerFrame, newShop, openWidget, websiteFor } from './host-site.ts';
import { stage } from './stage.ts';

const on = stage('viewer_header');
const site = websiteFor(on);

const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es'];
const STATES = ['connected', 'connecting', 'reconnecting', 'reconnectingToSend', 'gone'] as const;
const TITLES = ['The Shop', 'Harbour Coffee Bakery'];
const HOURS = ['', 'Monday to Friday, 9 to 17', `Every day but the ${'first '.repeat(80)}`];
const SIZES = [
  [320, 568],
  [400, 680],
  [360, 740],
  [1024, 768],
] as const;

/** Returns the facts of the header with these texts, after layout. */
const MEASURE = `({ title, hours, status }) => {
  const header = document.querySelector('.chat > header');
  const [h1, connection] = [header.querySelector('h1'), header.querySelector('.connection')];
  const shownHours = header.querySelector('.hours');
  h1.textContent = title;
  shownHours.lastChild.data = hours;
  shownHours.style.display = hours === '' ? 'none' : '';
  connection.textContent = status;
  const inner = ({ left, right }) => left >= 0 && right <= innerWidth;
  const isClipped = (part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
  return {
    height: header.offsetHeight,
    clipped: [h1, connection].filter(isClipped).map(({ textContent }) => textContent),
    outside: [...header.children].filter((one) => !inner(one.getBoundingClientRect())).length,
  };
}`;

test('the header of the widget leaves the conversation its room and the title its letters in every state, language and width', async () => {
  const shop = await newShop({ on, site }, '/header', { widget: { hours: HOURS[1] } });
  const logo = 'https://shop.example/none.png';
  await on.product.admin.request('PATCH', `/organizations/${shop.id}`, { logo });
  const { page } = await on.open(shop.url);
  await openWidget(page);
  const { pathname } = new URL((await innerFrame(page)).url());
  await page.route('**/none.png', (route) => route.fulfill({ contentType: 'image/svg+xml', body: SQUARE }));
  // The page itself shows the same header when the widget fills the screen of a phone.
  await page.goto(`${on.product.origin}${pathname}`);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.evaluate(`(() => {
    const header = document.querySelector('header');
    header.append(header.querySelector('summary').cloneNode(true));
  })()`);
  const faults: object[] = [];
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const language of LANGUAGES)
      for (const state of STATES)
        for (const title of TITLES)
          for (const hours of HOURS) {
            const texts = { title, hours, status: getTexts(language)[state] };
            const found = await page.evaluate<{ height: number; clipped: string[]; outside: number }>(
              `(${MEASURE})(${JSON.stringify(texts)})`,
            );
            const isFaulty = found.height > 0.3 * height || found.clipped.length > 0 || found.outside > 0;
            if (isFaulty) faults.push({ width, language, state, title, hours: hours.slice(0, 20), ...found });
          }
    await keepShot(page, `header-${width}`);
  }
  expect(faults).toEqual([]);
});

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
