import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { startBrowser, visit } from './browser.ts';
import type { Visit } from './browser.ts';

/** A product and a browser for the tests of a file, and what they open, closed at the end. */
export interface Stage<Served extends Product = Product> {
  product: Served;
  open: (url: string, options?: BrowserContextOptions) => Promise<Visit>;
}

/**
 * Sets the stage before the file's tests, with the product that files share or one that `start`
 * starts. Its fields are there when they run.
 */
export function stage(name: string): Stage;
export function stage<Served extends Product>(
  name: string,
  start: (name: string) => Promise<Served>,
): Stage<Served>;
export function stage(name: string, start: (name: string) => Promise<Product> = sharedApi): Stage {
  const visits: Visit[] = [];
  let browser: Browser | undefined;
  const set = {
    async open(url: string, options?: BrowserContextOptions) {
      browser ??= await startBrowser();
      const opened = await visit(browser, url, options);
      visits.push(opened);
      return opened;
    },
  } as Stage;
  beforeAll(async () => {
    browser = await startBrowser();
    set.product = await start(name);
  });
  afterAll(async () => {
    await Promise.all(visits.map((one) => one.close()));
    await browser?.close();
    await set.product.close();
  });
  return set;
}
