import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type * as HomePage from '../../web/home-page.ts';
import { keepShot } from './browser.ts';
import { newPerson } from './console.ts';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const ASSETS = 'dist/web/assets';
const on = stage('viewer_build');

test('the script of the chat page is smaller than 60 kB gzipped', () => {
  const scripts = readdirSync(ASSETS).filter((name) => /^chat-.*\.js$/.test(name));
  expect(scripts).toHaveLength(1);
  const bytes = gzipSync(readFileSync(`${ASSETS}/${scripts[0] ?? ''}`)).length;
  expect(bytes).toBeLessThan(60_000);
});

const FIRST_PAINT_BYTES = 60_000;

/** Serves scripts up to a sum of bytes, and holds the others until `release` is called. */
async function serveUpTo(page: Page, bytes: number) {
  const held: Route[] = [];
  let left = bytes;
  await page.route('**/viewer/*.js', (route) => {
    const { size } = statSync(`${ASSETS}/${basename(new URL(route.request().url()).pathname)}`);
    if (left < size) return void held.push(route);
    left -= size;
    return route.continue();
  });
  const release = () => {
    left = Infinity;
    return Promise.all(held.map((route) => route.continue()));
  };
  return { held, release };
}

test.each([
  ['en-US', 'Sign in', 'Reports'],
  ['fr-FR', 'Se connecter', 'Rapports'],
])(
  'the console in the language %s paints its sign-in and its frame with 60 kB of script',
  async (locale, signInWord, reports) => {
    const admin = await newPerson(on.product, { role: 'admin' });
    await newTalk(on.product);
    const { page, complaints } = await on.open('about:blank', { locale });
    const { held, release } = await serveUpTo(page, FIRST_PAINT_BYTES);
    await page.goto(`${on.product.origin}/console#/inbox/all`);
    await page.locator('input[type=email]').fill(admin.email);
    await page.locator('input[type=password]').fill(admin.password);
    await page.getByRole('button', { name: signInWord }).click();
    await page.getByRole('link', { name: reports }).waitFor();
    await page.locator('.inbox .skeleton').waitFor();
    expect(await page.locator('.row').count()).toBe(0);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await release();
    await page.locator('.row').first().waitFor();
    await page.reload();
    await page.locator('.row').first().waitFor();
    expect(complaints).toEqual([]);
  },
);

test('the page of the console names the scripts that its first script imports', async () => {
  const page = await (await fetch(`${on.product.origin}/console`)).text();
  const named = [...page.matchAll(/(?:src|href)="viewer\/([^"]+\.js)"/g)].map(([, name]) => name ?? '');
  const imported = named.flatMap((name) =>
    [...readFileSync(`${ASSETS}/${name}`, 'utf8').matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)].map(
      ([, one]) => one,
    ),
  );
  expect(named.length).toBeLessThanOrEqual(3);
  expect(imported.length).toBeGreaterThan(0);
  expect(named).toEqual(expect.arrayContaining(imported));
});

test('the chat page opens again within 0.4 seconds of CPU time, and its script is cacheable', async () => {
  const talk = await newTalk(on.product);
  await talk.say('first');
  const { page } = await on.open(talk.url);
  await page.getByText('first').waitFor();
  // Measures the second visit in CPU time of the thread, independent of other load.
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spentSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity;
  };
  const before = await spentSeconds();
  await page.reload();
  await page.getByText('first').waitFor();
  const spent = (await spentSeconds()) - before;
  expect(spent).toBeGreaterThan(0);
  // A machine of 2026 needs 0.1 seconds. The bound allows for slower machines.
  expect(spent).toBeLessThan(0.4);
  const script = await page.locator('script').getAttribute('src');
  const response = await fetch(new URL(script ?? '', page.url()));
  expect(response.headers.get('cache-control')).toContain('immutable');
});

test('the start page shows the running parts and links to the documentation', async () => {
  const { page, complaints } = await on.open(`${on.product.origin}/`);
  await keepShot(page, 'home');
  const rows = await page.locator('.running li').allTextContents();
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row).toContain('responds');
  await expect.poll(() => page.locator('h1').textContent()).toMatch(/^Parlance \d+\.\d+\.\d+$/);
  const [bot, session] = await page.locator('#first-steps pre').allTextContents();
  expect(bot).toBe(`API=${on.product.origin}/v2 node examples/echo-bot.mjs\n`);
  // The copied command contains the address of this page.
  expect(session).toContain(`API=${on.product.origin}/v2\n`);
  expect(await page.content()).not.toContain('localhost:3000');
  const licences = await page.getByRole('link', { name: 'Licences' }).getAttribute('href');
  const response = await fetch(new URL(licences ?? '', page.url()));
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toContain('preact 11');
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.waitForURL('**/docs');
  expect(complaints).toEqual([]);
});

test('the start page names a part that is down, and links to the Temporal UI if the address of the UI is set', async () => {
  const built: string = '../../dist/web/home-page.js';
  const { homePage } = (await import(built)) as typeof HomePage;
  const page = homePage({
    version: '1.2.3',
    running: [{ name: 'Worker', what: 'a <b>', ok: false }],
    hasEchoBot: false,
    publicUrl: 'http://localhost:3000',
    temporalUiUrl: 'http://localhost:8233/?a="b"',
    temporalNamespace: 'default',
  });
  expect(page).toContain('<strong>Worker</strong> <span>a &lt;b&gt;</span> <em>does not respond</em>');
  expect(page).toContain('<a href="http://localhost:8233/?a=&quot;b&quot;">Temporal</a>');
});

test('the start page links to saved views in Temporal', async () => {
  const built: string = '../../dist/web/home-page.js';
  const { homePage } = (await import(built)) as typeof HomePage;
  const facts = {
    version: '1.2.3',
    running: [],
    hasEchoBot: false,
    publicUrl: 'http://localhost:3000',
    temporalNamespace: 'a b',
  };
  const page = homePage({ ...facts, temporalUiUrl: 'http://localhost:8233' });
  expect(page).toContain(
    '<a href="http://localhost:8233/namespaces/a%20b/workflows?query=Blocked%3Dtrue%20AND%20ExecutionStatus%3D%22Running%22">Blocked bots</a>',
  );
  expect(homePage({ ...facts, temporalUiUrl: undefined })).not.toContain('Blocked bots');
});
