import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newWidget, findRecords } from '../support/website.ts';
import type { Stage } from './stage.ts';

/** A third-party website with another origin than the product. */
export interface HostSite {
  origin: string;
  close: () => Promise<void>;
}

/**
 * The script attributes, the policy, other headers and the body of each page, by path. All other
 * paths are pages without the script.
 */
export type Pages = Record<
  string,
  { script?: string; policy?: string; headers?: Record<string, string>; body?: string }
>;

/**
 * Serves pages at `http://localhost:…`. This origin differs from that of the product, which is at
 * 127.0.0.1. Pages may be added later.
 */
export async function startHostSite(product: string, pages: Pages): Promise<HostSite> {
  const server = createServer(({ url = '/' }, response) => {
    const page = pages[url.split('?')[0] ?? ''] ?? {};
    const script =
      page.script === undefined ? '' : `<script src="${product}/widget.js" ${page.script} async></script>`;
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (page.policy !== undefined) response.setHeader('Content-Security-Policy', page.policy);
    for (const [name, value] of Object.entries(page.headers ?? {})) response.setHeader(name, value);
    response.end(
      `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Shop</title>${script}</head><body><main><h1>Shop</h1><a href="/next">Next</a> <button>Buy</button>${page.body ?? ''}</main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Starts a website before the tests of a file and closes it after them. The fields of the result
 * are set when the tests run.
 */
export function websiteFor(on: Stage): { pages: Pages; origin: string } {
  const set = { pages: {} as Pages, origin: '' };
  let site: HostSite | undefined;
  beforeAll(async () => {
    site = await startHostSite(on.product.origin, set.pages);
    set.origin = site.origin;
  });
  afterAll(() => site?.close());
  return set;
}

/**
 * Creates an organization with a widget, and serves a page with that widget at `path` and at
 * `/next`.
 */
export async function newShop(
  { on, site }: { on: Stage; site: ReturnType<typeof websiteFor> },
  path: string,
  { widget = {}, policy }: { widget?: object; policy?: string } = {},
) {
  const settings = { origins: [site.origin], ...widget };
  const shop = await newWidget(on.product, settings, { displayName: 'The Shop' });
  const script = `data-organization="${shop.id}"`;
  const page = { script, ...(policy === undefined ? {} : { policy }) };
  Object.assign(site.pages, { [path]: page, '/next': page });
  const records = () => findRecords(on.product.admin, shop.id);
  const answer = async (text: string) => {
    const [conversation] = (await records()).conversations;
    await on.product.admin.post(`/conversations/${conversation.id}/messages`, { text, role: 'agent' });
  };
  return { ...shop, url: `${site.origin}${path}`, records, answer };
}

/** Returns the button of the widget, with any label. */
export function buttonOf(page: Page) {
  return page.locator('parlance-widget button[aria-expanded]');
}

export function frameOf(page: Page): FrameLocator {
  return page.frameLocator('parlance-widget iframe');
}

/** Waits for the frame of the chat page and returns it. */
export async function innerFrame(page: Page): Promise<Frame> {
  return eventually(() => page.frames().find((frame) => frame.url().includes('/c/')));
}

/** Opens the widget and waits for the message field. */
export async function openWidget(page: Page): Promise<FrameLocator> {
  await buttonOf(page).click();
  const frame = frameOf(page);
  await frame.getByRole('textbox', { name: 'Message' }).waitFor();
  return frame;
}

export async function sayIn(frame: FrameLocator, text: string): Promise<void> {
  const field = frame.getByRole('textbox', { name: 'Message' });
  await field.fill(text);
  await field.press('Enter');
}
