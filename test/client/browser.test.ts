import { fileURLToPath } from 'node:url';
import type * as Library from '@parlance/client';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import { startHostSite } from '../web/host-site.ts';
import type { HostSite } from '../web/host-site.ts';
import { openBrowser, visit } from '../web/browser.ts';
import type { Visit } from '../web/browser.ts';

/** State that the page keeps between the steps of the test. */
declare const page: { parlance: Library.Client; heard: string[]; reconnects: number };

/** A website on another origin than the product, with the client in a bundle. */
describe('the client in a browser', () => {
  let product: Product;
  let proxy: TcpProxy;
  let site: HostSite;
  let opened: Visit;
  let tab: Page;

  beforeAll(async () => {
    product = await sharedApi('client_browser');
    proxy = await startTcpProxy({ port: Number(new URL(product.origin).port) });
    site = await startHostSite(product.origin, {});
    opened = await visit(await openBrowser(), site.origin);
    tab = opened.page;
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(import.meta.resolve('@parlance/client'))],
      ...{ bundle: true, write: false, format: 'iife', platform: 'browser', globalName: 'library' },
    });
    await tab.addScriptTag({ content: outputFiles[0]!.text });
    await tab.evaluate(
      ({ url, token }) => {
        const { library } = globalThis as unknown as { library: typeof Library };
        const parlance = library.createClient({ url, token });
        Object.assign(globalThis, { page: { parlance, heard: [], reconnects: 0 } });
      },
      { url: `http://127.0.0.1:${proxy.port}`, token: product.token },
    );
  });
  afterAll(async () => {
    await opened.close();
    await site.close();
    await proxy.close();
    await product.close();
  });

  const newConversation = () =>
    tab.evaluate(async () => (await page.parlance.call('POST /conversations', { body: {} })).id);

  test('the client in a browser posts messages and reads a list page by page', async () => {
    const texts = await tab.evaluate(
      async (id) => {
        const path = { id };
        const body = Array.from({ length: 7 }, (_, at) => ({ text: `message ${at + 1}` }));
        await page.parlance.call('POST /conversations/{id}/messages', { path, body });
        const read: string[] = [];
        const query = { sort: 'sequence', limit: 3 };
        for await (const one of page.parlance.list('GET /conversations/{id}/messages', { path, query }))
          read.push(one.text);
        return read;
      },
      await newConversation(),
    );
    expect(texts).toEqual(Array.from({ length: 7 }, (_, at) => `message ${at + 1}`));
  });

  test('the client in a browser rejects a refused call with the code, the status and the request id', async () => {
    const refused = await tab.evaluate(() =>
      page.parlance.call('GET /conversations/{id}', { path: { id: '42' } }).catch((error: unknown) => {
        const { status, code, requestId } = error as Record<string, unknown>;
        return { status, code, requestId: typeof requestId };
      }),
    );
    expect(refused).toEqual({ status: 400, code: 'invalid_request', requestId: 'string' });
  });

  test('the client in a browser resumes a stream after a disconnection with every message once, in order', async () => {
    const id = await newConversation();
    const says = (text: string) =>
      product.admin.post(`/conversations/${id}/messages`, { text }).then(({ status }) => status);
    await tab.evaluate((conversation) => {
      const onReconnect = () => (page.reconnects += 1);
      void (async () => {
        for await (const { event, data } of page.parlance.stream(conversation, { after: 0, onReconnect }))
          if (event === 'message' && 'text' in data) page.heard.push(data.text);
      })();
    }, id);
    const heard = () => tab.evaluate(() => page.heard);
    await says('before');
    await eventually(async () => (await heard()).length >= 1);
    proxy.weather({ kind: 'cut' });
    await says('meanwhile');
    proxy.weather({ kind: 'clear' });
    await says('afterwards');
    await eventually(async () => (await heard()).length >= 3);
    expect(await heard()).toEqual(['before', 'meanwhile', 'afterwards']);
    expect(await tab.evaluate(() => page.reconnects)).toBeGreaterThanOrEqual(1);
    expect(opened.complaints).toEqual([]);
  });
});
