import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { openBrowser, visit } from './browser.ts';
import type { Visit } from './browser.ts';

/**
 * A product for the tests of a file, and a function that opens pages. The product and the pages are
 * closed after the tests.
 */
export interface Stage<Served extends Product = Product> {
  product: Served;
  open: (url: string, options?: BrowserContextOptions) => Promise<Visit>;
}

/**
 * Gets a product before the tests, from `start` (by default the shared product). The fields of the
 * stage are set when tests run.
 */
export function stage(name: string): Stage;
export function stage<Served extends Product>(
  name: string,
  start: (name: string) => Promise<Served>,
): Stage<Served>;
export function stage(name: string, start: (name: string) => Promise<Product> = sharedApi): Stage {
  const visits: Visit[] = [];
  const set = {
    async open(url: string, options?: BrowserContextOptions) {
      const opened = await visit(await openBrowser(), url, options);
      if (expect.getState().currentTestName) {
        onTestFinished(async ({ task }) => {
          if (task.result?.state === 'fail') await printTexts(opened);
          await opened.close();
        });
      } else {
        visits.push(opened);
      }
      return opened;
    },
  } as Stage;
  beforeAll(async () => {
    [set.product] = await Promise.all([start(name), openBrowser()]);
  });
  afterAll(async () => {
    await Promise.all(visits.map((one) => one.close()));
    await set.product.close();
  });
  return set;
}

/**
 * Prints the text of each page of a failed test, because the error of a wait does not include the
 * text.
 */
async function printTexts({ page }: Visit): Promise<void> {
  for (const one of page.context().pages()) {
    const text = await one.locator('body').innerText({ timeout: 5_000 }).catch(String);
    console.log(`${one.url()} shows:\n${text}`);
  }
}
