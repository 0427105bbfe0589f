// Takes the pictures of README.md and docs/messages.md from the product in dist. Needs Chromium:
//
//   node deploy/local/prepare.mjs && node --import tsx docs/pictures/take.ts
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Locator, Page, ViewportSize } from 'playwright-core';
import { freePort } from '../../deploy/local/ports.ts';
import { snippetsOf } from '../../test/guides/snippets.ts';
import { client } from '../../test/support/client.ts';
import type { ApiClient } from '../../test/support/client.ts';
import { eventually } from '../../test/support/eventually.ts';
import { choosePorts, start } from '../../test/support/launcher.ts';
import { startNode } from '../../test/support/node-process.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { startBrowser } from '../../test/web/browser.ts';

const CHAT = { width: 420, height: 520 };
const MESSAGE = { width: 420, height: 640 };
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180" width="320" height="180">
<rect width="320" height="180" fill="#dbe7f3"/><path d="M92 74h104v38a34 34 0 0 1-34 34h-36a34 34 0 0 1-34-34z" fill="#2f5d8a"/>
<path d="M196 84h14a18 18 0 0 1 0 36h-14v-12h12a7 7 0 0 0 0-13h-12z" fill="#2f5d8a"/><rect x="116" y="56" width="56" height="10" rx="5" fill="#2f5d8a"/></svg>`;

const data = await temporaryFolder('parlance-pictures-');
const ports = await choosePorts();
const product = await start(data.path, {
  ports,
  env: { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_PER_KEY: '0' },
});
const browser = await startBrowser();
try {
  const api = `${product.origin}/v2`;
  const login = { email: 'admin@parlance.local', password: await product.password() };
  const signedIn = await client(api).post('/auth/token', login);
  const { token, organization } = signedIn.body as { token: string; organization: string };
  const admin = client(api, token);
  const env = { API: api, ADMIN_PASSWORD: login.password, BOT_PORT: String(await freePort()) };
  const conversation = await talkToTheBot(admin, organization, env);
  await takeFirstStart();
  await takeChatPage(conversation.url);
  await takeTemporal(conversation.id);
  await takeMessages(admin);
} finally {
  await browser.close();
  await product.supervisor.stop();
  await data.remove();
}

/** Creates the README's first conversation, plus a second message of the contact. */
async function talkToTheBot(
  admin: ApiClient,
  organization: string,
  env: Record<string, string>,
): Promise<{ id: string; url: string }> {
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
    const hasMessages = (count: number) =>
      eventually(
        async () => {
          const list = await admin.get(`/messages?conversation=${conversation.id}`);
          return (list.body as unknown[]).length === count;
        },
        { withinMs: 30_000 },
      );
    await hasMessages(2);
    const page = await open(conversation.url, CHAT);
    await page.getByRole('textbox').fill('Good. What do you do?');
    await page.keyboard.press('Enter');
    await hasMessages(4);
    await page.context().close();
    return conversation;
  } finally {
    await bot.stop();
  }
}

async function takeFirstStart(): Promise<void> {
  const page = await open(product.origin, { width: 1280, height: 720 });
  await page.getByRole('button', { name: 'echo bot' }).click();
  const chat = page.frameLocator('iframe');
  await chat.getByText('Connected').waitFor();
  await chat.getByRole('textbox').fill('Hello, is anybody there?');
  await page.keyboard.press('Enter');
  await chat.getByText('You said').waitFor();
  await page.locator('.line.bot', { hasText: 'You said' }).waitFor();
  await keep(page, 'first-start');
}

async function takeChatPage(url: string): Promise<void> {
  const page = await open(url, CHAT);
  await page.getByText('Connected').waitFor();
  await page.locator('.message').nth(3).waitFor();
  await keep(page, 'chat-page');
}

async function takeTemporal(id: string): Promise<void> {
  const ui = `http://localhost:${ports.TEMPORAL_UI_PORT}`;
  const workflow = `${ui}/namespaces/default/workflows/conversation:${id}`;
  const page = await open(workflow, { width: 1180, height: 960 });
  await page.locator('a[href$=user-metadata]').click();
  await page.frameLocator('#user-metadata-current-details').getByText('Participants').waitFor();
  await keep(page, 'temporal');
}

/** Takes a picture of every message of docs/messages.md that contacts see. */
async function takeMessages(admin: ApiClient): Promise<void> {
  await mkdir(fileURLToPath(new URL('messages', import.meta.url)), { recursive: true });
  for (const { info, code } of snippetsOf('messages')) {
    const [, name] = /^message (.+)/.exec(info) ?? [];
    if (name === undefined) continue;
    const message = JSON.parse(code) as { role?: string; isBackchannel?: boolean };
    if (message.isBackchannel !== false && message.role === undefined) continue;
    const made = await admin.post('/conversations', { type: 'contact', messages: [message] });
    const page = await open((made.body as { url: string }).url, MESSAGE);
    const shown = page.locator('.message').first();
    await shown.waitFor();
    await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
    await keep(page, `messages/${name}`, shown);
  }
}

async function open(url: string, viewport: ViewportSize): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: 'light', locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
  );
  await page.goto(url);
  return page;
}

/** Saves a picture of the page, or of the strip around an element. */
async function keep(page: Page, name: string, part?: Locator): Promise<void> {
  const path = fileURLToPath(new URL(`${name}.png`, import.meta.url));
  const box = await part?.boundingBox();
  const clip = box && { x: 0, y: Math.max(0, box.y - 12), width: MESSAGE.width, height: box.height + 24 };
  await page.screenshot({ path, animations: 'disabled', ...(clip && { clip }) });
  await page.context().close();
}
