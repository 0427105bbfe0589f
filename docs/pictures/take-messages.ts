// Takes the pictures of docs/messages.md anew, of the messages as they stand there, from the
// product as it is built in dist:
//
//   node deploy/local/prepare.mjs && node --import tsx docs/pictures/take-messages.ts
//
// It runs on free ports and in a folder of its own, and needs Chromium as the page's tests do.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { snippetsOf } from '../../test/guides/snippets.ts';
import { client } from '../../test/support/client.ts';
import type { ApiClient } from '../../test/support/client.ts';
import { choosePorts, start } from '../../test/support/launcher.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { startBrowser } from '../../test/web/browser.ts';

const FOLDER = fileURLToPath(new URL('messages', import.meta.url));
const WIDTH = 420;
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180" width="320" height="180">
<rect width="320" height="180" fill="#dbe7f3"/><path d="M92 74h104v38a34 34 0 0 1-34 34h-36a34 34 0 0 1-34-34z" fill="#2f5d8a"/>
<path d="M196 84h14a18 18 0 0 1 0 36h-14v-12h12a7 7 0 0 0 0-13h-12z" fill="#2f5d8a"/><rect x="116" y="56" width="56" height="10" rx="5" fill="#2f5d8a"/></svg>`;

const data = await temporaryFolder('parlance-pictures-');
const product = await start(data.path, { ports: await choosePorts(), env: { RATE_LIMIT_PER_SECOND: '0' } });
const browser = await startBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  const admin = await signIn(`${product.origin}/v2`, await product.password());
  for (const { info, code } of snippetsOf('messages')) {
    const [, name] = /^message (.+)/.exec(info) ?? [];
    const message =
      name === undefined
        ? {}
        : (JSON.parse(code) as { type?: string; role?: string; isBackchannel?: boolean });
    const isSeen = message.isBackchannel === false || message.role !== undefined;
    if (name !== undefined && isSeen) await take(browser, admin, { name, message });
  }
} finally {
  await browser.close();
  await product.supervisor.stop();
  await data.remove();
}

async function signIn(base: string, password: string): Promise<ApiClient> {
  const login = { email: 'admin@parlance.local', password };
  return client(base, ((await client(base).post('/auth/token', login)).body as { token: string }).token);
}

async function take(
  of: Browser,
  admin: ApiClient,
  { name, message }: { name: string; message: object },
): Promise<void> {
  const made = await admin.post('/conversations', { type: 'contact', messages: [message] });
  const { url } = made.body as { url: string };
  const context = await of.newContext({
    viewport: { width: WIDTH, height: 640 },
    colorScheme: 'light',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.route('https://example.com/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
  );
  await page.goto(url);
  const shown = page.locator('.message').first();
  await shown.waitFor();
  await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
  const box = await shown.boundingBox();
  if (!box) throw new Error(`${name} is not shown`);
  const clip = { x: 0, y: Math.max(0, box.y - 12), width: WIDTH, height: box.height + 24 };
  await page.screenshot({ path: `${FOLDER}/${name}.png`, clip, animations: 'disabled' });
  await context.close();
}
