// Takes the pictures of README.md anew, from the product as it is built in dist:
//
//   node deploy/local/prepare.mjs && node --import tsx docs/pictures/take.ts
//
// It runs on free ports and in a folder of its own, and needs Chromium as the page's tests do.
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../deploy/local/ports.ts';
import { client } from '../../test/support/client.ts';
import { eventually } from '../../test/support/eventually.ts';
import { choosePorts, start } from '../../test/support/launcher.ts';
import type { Started } from '../../test/support/launcher.ts';
import { startNode } from '../../test/support/node-process.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { startBrowser } from '../../test/web/browser.ts';

const data = await temporaryFolder('parlance-pictures-');
const ports = await choosePorts();
const product = await start(data.path, { ports });
const browser = await startBrowser();
try {
  const conversation = await talkToTheBot(product);
  await takeFirstStart(browser, product.origin);
  await takeChatPage(browser, conversation.url);
  await takeTemporal(browser, `http://localhost:${ports.TEMPORAL_UI_PORT}`, conversation.id);
} finally {
  await browser.close();
  await product.supervisor.stop();
  await data.remove();
}

/** The README's first conversation, and what its contact goes on to say on their page. */
async function talkToTheBot({ origin, password }: Started): Promise<{ id: string; url: string }> {
  const api = `${origin}/v2`;
  const env = { API: api, ADMIN_PASSWORD: await password(), BOT_PORT: String(await freePort()) };
  const signedIn = await client(api).post('/auth/token', {
    email: 'admin@parlance.local',
    password: env.ADMIN_PASSWORD,
  });
  const { token, organization } = signedIn.body as { token: string; organization: string };
  const admin = client(api, token);
  const bot = startNode('examples/echo-bot.mjs', { env });
  try {
    await eventually(() => bot.output().includes('listens'), { withinMs: 30_000 });
    const upserted = await admin.post('/conversations', {
      organization,
      type: 'contact',
      contact: { profile: { email: 'ada@example.com', name: 'Ada' } },
      messages: [{ type: 'chat', role: 'contact', text: 'Hello, is anybody there?' }],
    });
    const conversation = upserted.body as { id: string; url: string };
    const says = (count: number) =>
      eventually(
        async () => {
          const list = await admin.get(`/messages?conversation=${conversation.id}`);
          return (list.body as unknown[]).length === count;
        },
        { withinMs: 30_000 },
      );
    await says(2);
    const { page } = await open(browser, conversation.url, { width: 420, height: 520 });
    await page.getByRole('textbox').fill('Good. What do you do?');
    await page.keyboard.press('Enter');
    await says(4);
    await page.context().close();
    return conversation;
  } finally {
    await bot.stop();
  }
}

/** What a newcomer sees in the first minute: one press, and something said. */
async function takeFirstStart(browser: Browser, origin: string): Promise<void> {
  const { page } = await open(browser, origin, { width: 1280, height: 720 });
  await page.getByRole('button', { name: 'echo bot' }).click();
  const chat = page.frameLocator('iframe');
  await chat.getByText('Connected').waitFor();
  await chat.getByRole('textbox').fill('Hello, is anybody there?');
  await page.keyboard.press('Enter');
  await chat.getByText('You said').waitFor();
  await page.locator('.line.bot', { hasText: 'You said' }).waitFor();
  await keep(page, 'first-start');
}

async function takeChatPage(browser: Browser, url: string): Promise<void> {
  const { page } = await open(browser, url, { width: 420, height: 520 });
  await page.getByText('Connected').waitFor();
  await page.locator('.message').nth(3).waitFor();
  await keep(page, 'chat-page');
}

/** The conversation's workflow as an operator sees it. */
async function takeTemporal(browser: Browser, ui: string, id: string): Promise<void> {
  const workflow = `${ui}/namespaces/default/workflows/conversation:${id}`;
  const { page } = await open(browser, workflow, { width: 1180, height: 960 });
  await page.locator('a[href$=user-metadata]').click();
  // What the workflow says of itself is shown in a frame.
  await page.frameLocator('#user-metadata-current-details').getByText('Participants').waitFor();
  await keep(page, 'temporal');
}

async function open(
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
): Promise<{ page: Page }> {
  const context = await browser.newContext({ viewport, colorScheme: 'light', locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  return { page };
}

async function keep(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`${name}.png`, import.meta.url));
  await page.screenshot({ path, animations: 'disabled' });
  await page.context().close();
}
