import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/**
 * Paths of browsers in order of preference. The headless shell takes half the time of the others.
 */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const SHOTS = 'build-output/viewer';

/**
 * Holds the browser in the global object, because Vitest runs several files in this process without
 * `isolate`.
 */
const holder = globalThis as { parlanceTestBrowser?: Promise<Browser> };

/**
 * Returns the browser of this process, which ends with the process. Starts the browser if it is not
 * running. Rejects with installation instructions if Chromium is missing.
 */
export async function openBrowser(): Promise<Browser> {
  const known = await holder.parlanceTestBrowser?.catch(() => undefined);
  if (known?.isConnected()) return known;
  return (holder.parlanceTestBrowser = startBrowser());
}

/** Starts a browser that the caller must close. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? CANDIDATES.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error('These tests need Chromium: apt-get install chromium, or set CHROMIUM_PATH.');
  }
  // Frames of other origins share the process of their page, which saves a quarter of the CPU time.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-site-isolation-trials'];
  return chromium.launch({ executablePath, args });
}

/** A page that records errors. */
export interface Visit {
  page: Page;
  /** Errors, blocked content and dialogs so far. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens an address in a new browser profile. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1024, height: 768 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  // As long as `eventually`: a machine may stall for seconds.
  page.setDefaultTimeout(120_000);
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

/** Saves a screenshot in the build output for manual review. */
export async function keepShot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
