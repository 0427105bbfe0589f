import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type * as HomePage from '../../web/home-page.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
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

test('the inbox of the console appears after less than 100 kB of script', async () => {
  const agent = await newPerson(on.product, { role: 'agent' });
  await newTalk(on.product);
  const { page } = await openConsole(on, agent, { place: '#/inbox/all' });
  await page.locator('.row').first().waitFor();
  const bytes = await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)`,
  );
  expect(bytes).toBeGreaterThan(30_000);
  expect(bytes).toBeLessThan(100_000);
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
