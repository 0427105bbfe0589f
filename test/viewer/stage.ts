import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { startBrowser, visit } from './browser.ts';
import type { Visit } from './browser.ts';

/** A product and a browser for the tests of a file, and what they open, closed at the end. */
export interface Stage {
  product: Product;
  open: (url: string, options?: BrowserContextOptions) => Promise<Visit>;
}

/** Sets the stage before the file's tests. Its fields are there when they run. */
export function stage(database: string): Stage {
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
    set.product = await startApi(database);
  });
  afterAll(async () => {
    await Promise.all(visits.map((one) => one.close()));
    await browser?.close();
    await set.product.close();
  });
  return set;
}
