import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openConsole } from '../web/console.ts';
import { stage } from '../web/stage.ts';
import { findChanged, makeSheet } from './sheet.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

const SHEETS = 'test/pictures/sheets';
const OUTPUT = 'build-output/pictures';
/** Times and ids differ between runs. */
const STILL = `time, code, svg text, .chart { visibility: hidden !important }
  textarea { color: transparent !important }
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important }`;

const HIDE_IDS = `{
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const before = texts.currentNode.data;
    const after = before.replace(/[\\da-f-]{12,}/g, 'id').replace(/:\\d{4,5}\\b/g, ':1');
    if (after !== before) texts.currentNode.data = after;
  }
}`;

const LOOKS: Record<string, BrowserContextOptions> = {
  'desktop-light': { viewport: { width: 1440, height: 900 } },
  'desktop-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  'tablet-light': { viewport: { width: 1024, height: 768 } },
  'tablet-dark': { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' },
  'phone-light': { viewport: { width: 390, height: 844 } },
  'phone-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
};

const on = stage('Harbour Bikes');
let world: World;
let places: [name: string, place: string][] = [];

beforeAll(async () => {
  world = await createWorld(on.product);
  places = [
    ['inbox', 'inbox/all'],
    ['conversation', `inbox/all/${world.conversation}`],
    ['contacts', 'contacts'],
    ['contact', `contacts/${world.contact}`],
    ['channels', 'channels'],
    ['webhooks', 'webhooks'],
    ['webhook', `webhooks/${world.service}`],
    ['events', 'events/log'],
    ['event type', `events/types/${world.eventType}`],
    ['reports', 'reports'],
    ['team', 'team'],
    ['organizations', 'settings/organizations'],
    ['organization', `settings/organizations/${on.product.organization}`],
    ['team settings', `settings/channels/${world.team}`],
    ['account', 'account'],
    ['components', 'components'],
  ];
});

afterAll(() => world.close());

test.each(Object.entries(LOOKS))(
  'the screens of the console look as in the stored pictures (%s)',
  async (look, options) => {
    const { page } = await openConsole(on, world.admin, options);
    const pending = countPending(page);
    // A page without the content security policy of the console.
    const easel = await page.context().newPage();
    const pictures: Buffer[] = [];
    for (const [name, place] of places)
      pictures.push(await takePicture(page, { look, name, place, pending }));
    const sheet = await makeSheet(easel, pictures);
    const path = join(SHEETS, `${look}.png`);
    writeFileSync(join(OUTPUT, `${look}.png`), sheet);
    if (process.env['PARLANCE_UPDATE_PICTURES']) writeFileSync(path, sheet);
    expect(existsSync(path), 'run with PARLANCE_UPDATE_PICTURES=1').toBe(true);
    const changed = await findChanged(easel, {
      before: readFileSync(path),
      after: sheet,
      count: places.length,
    });
    expect(
      changed.map(({ at, percent }) => `${places[at]?.[0]}: ${percent.toFixed(1)} %`),
      `compare ${path} with ${OUTPUT}/${look}.png`,
    ).toEqual([]);
  },
);

/** Returns a function that returns the number of requests without an answer, except streams. */
function countPending(page: Page): () => number {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('stream')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return () => pending.size;
}

interface Shown {
  look: string;
  name: string;
  place: string;
  pending: () => number;
}

async function takePicture(page: Page, { look, name, place, pending }: Shown) {
  await page.goto(`${on.product.origin}/console#/${place}`);
  await page.locator(':is(#main h1, #main .row):visible').first().waitFor();
  await page.evaluate(`{
    const style = new CSSStyleSheet();
    style.replaceSync(${JSON.stringify(STILL)});
    document.adoptedStyleSheets = [style];
  }`);
  let picture = await page.screenshot();
  await eventually(async () => {
    const before = picture;
    // The components show this text, too.
    if (name !== 'components') await page.getByText('Loading…').first().waitFor({ state: 'hidden' });
    await page.evaluate(HIDE_IDS);
    picture = await page.screenshot();
    return pending() === 0 && picture.equals(before);
  });
  const folder = join(OUTPUT, look);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), picture);
  return picture;
}
