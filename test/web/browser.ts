import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The first is the same browser without windows, which takes half the time. */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const SHOTS = 'build-output/viewer';

/** Files that run in this process, one after the other, share it: see `isolate` of Vitest. */
const holder = globalThis as { parlanceTestBrowser?: Promise<Browser> };

/**
 * Returns the browser of this process: the Chromium of this machine, started by the first caller.
 * It ends with the process. Rejects with a word on how to get one where there is none.
 */
export async function openBrowser(): Promise<Browser> {
  const known = await holder.parlanceTestBrowser?.catch(() => undefined);
  if (known?.isConnected()) return known;
  return (holder.parlanceTestBrowser = startBrowser());
}

/** Starts a browser that its caller closes. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? CANDIDATES.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error('These tests need Chromium: apt-get install chromium, or set CHROMIUM_PATH.');
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page that notes what a page should never do. */
export interface Visit {
  page: Page;
  /** Errors, refused contents and dialogs so far. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens an address in a browser profile of its own. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (line) => {
    const text = line.text();
    if (line.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
  });
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** Keeps a picture of the page among the build's output, for people to look at. */
export async function keepShot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
