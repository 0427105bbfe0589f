import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { keepShot, openBrowser, visit } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Spec 1.5. */
describe('the documentation', () => {
  let product: Product;
  let browser: Browser;

  beforeAll(async () => {
    [product, browser] = await Promise.all([sharedApi('documentation'), openBrowser()]);
  });
  afterAll(async () => {
    await product.close();
  });

  /** Opens a page and records the page's requests to other hosts. */
  async function open(path: string, options = {}) {
    const visited = await visit(browser, 'about:blank', options);
    const elsewhere: string[] = [];
    visited.page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(product.origin) && !/^(data|blob|about):/.test(url)) elsewhere.push(url);
    });
    await visited.page.goto(`${product.origin}${path}`);
    return { ...visited, elsewhere };
  }

  test('the reference of the API loads less than 400 kB before a click on an operation, which then shows its samples', async () => {
    const { page, complaints, elsewhere, close } = await open('/docs', { colorScheme: 'dark' });
    const operation = page.getByRole('link', { name: /^POST \/conversations\/\{id\}\/messages/ });
    await operation.waitFor();
    const sizes = await page.evaluate(
      `JSON.stringify(performance.getEntriesByType('resource').map(({ decodedBodySize }) => decodedBodySize))`,
    );
    const loaded = JSON.parse(String(sizes)) as number[];
    const html = (await textAt(`${product.origin}/docs`)) ?? '';
    expect(loaded.reduce((sum, size) => sum + size, html.length)).toBeLessThan(400_000);
    await keepShot(page, 'docs-operations-dark');
    await operation.click();
    await page.getByText('Curl').first().waitFor();
    await page.getByText('/conversations/{id}/messages').first().waitFor();
    await keepShot(page, 'docs-reference-dark');
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
    const dark = await page.evaluate('getComputedStyle(document.body).colorScheme');
    expect(String(dark)).toContain('dark');
    await close();
  });

  test('the reference of the API lists every operation of the description', async () => {
    const { paths } = (await (await fetch(`${product.origin}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const html = (await textAt(`${product.origin}/docs`)) ?? '';
    const listed = [...html.matchAll(/href="#tag\/[a-z0-9-]+\/([A-Z]+)([^"]*)"/g)].map(
      ([, method = '', path = '']) => `${method} ${path}`,
    );
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(described.sort());
  });

  test('a code block of a guide is copied with one click', async () => {
    const { page, close } = await open('/docs/bots', {
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1280, height: 800 },
    });
    const block = page.locator('.code', { hasText: 'npm start' }).first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('npm start');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').first().click();
    await page.waitForURL(/bots#/);
    await close();
  });

  test('a request of a guide has tabs for curl, Python and TypeScript that the keyboard changes and every page remembers', async () => {
    const { page, complaints, close } = await open('/docs/commands', {
      viewport: { width: 1280, height: 800 },
    });
    const tabs = page.locator('.languages');
    const shown = () =>
      page
        .locator('.panel:visible')
        .evaluateAll((panels) => panels.map((one) => one.getAttribute('data-language')));
    const all = async (language: string) => Array<string>(await tabs.count()).fill(language);
    expect(await shown()).toEqual(await all('curl'));
    await tabs.first().getByRole('radio', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(await all('python'));
    await page.goto(`${product.origin}/docs/forms`);
    expect(await shown()).toEqual(await all('python'));
    await tabs.last().getByText('TypeScript').click();
    expect(await shown()).toEqual(await all('typescript'));
    await keepShot(page, 'docs-tabs');
    await page.reload();
    expect(await shown()).toEqual(await all('typescript'));
    expect(complaints).toEqual([]);
    await close();
  });

  test('the tabs of a request work without script', async () => {
    const { page, close } = await open('/docs/commands', {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
      colorScheme: 'dark',
    });
    const [first] = await page.locator('.languages').all();
    await first!.getByText('Python', { exact: true }).click();
    expect(await first!.locator('.panel:visible code').innerText()).toContain('import json');
    await keepShot(page, 'docs-tabs-phone-dark');
    await close();
  });

  test('the documentation of the API signs in with email and password and keeps the token in memory only', async () => {
    const { page, close } = await open('/docs');
    await page.getByText('Sign in', { exact: true }).first().click();
    await page.getByLabel('Email').fill(product.login.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('#signed-in:has-text("password")').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(product.login.password);
    const signedIn = page.waitForResponse((response) => response.url().endsWith('/v2/auth/token'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const { token } = (await (await signedIn).json()) as { token: string };
    await page.locator('#signed-in:has-text("scope admin")').waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(String(kept)).not.toContain(token);
    await close();
  });

  test.each([
    ['a desk', { viewport: { width: 1280, height: 800 } }],
    ['a phone in dark mode', { viewport: { width: 360, height: 640 }, colorScheme: 'dark' as const }],
  ])('the documentation on %s has no overflow and no serious axe findings', async (name, options) => {
    const { page, complaints, elsewhere, close } = await open('/docs/specification/07-webhooks', options);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await keepShot(page, `docs-guide-${name.replaceAll(' ', '-')}`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.evaluate(AXE);
    const violations = await page.evaluate(
      `axe.run().then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, nodes }) => [id, nodes[0].html])))`,
    );
    expect(JSON.parse(String(violations))).toEqual([]);
    expect([complaints, elsewhere]).toEqual([[], []]);
    await close();
  });

  test('the documentation can be searched, and the results list matching headings first', async () => {
    const { page, close } = await open('/docs/guides');
    await page.getByLabel('Search the guides').fill('retries delivery');
    const first = page.locator('#found li a').first();
    await first.waitFor();
    await expect.poll(() => first.textContent()).toContain('Delivery and retries');
    await first.click();
    await page.waitForURL(/07-webhooks#/);
    await close();
  });

  test('the documentation contains only working links to pages, images and headings, as HTML and as Markdown', async () => {
    const text = await (await fetch(`${product.origin}/llms.txt`)).text();
    const pages = [...text.matchAll(/\((\S+)\.md\)/g)].map(([, url = '']) => url);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.map((url) => new URL(url).pathname)).toEqual(
      expect.arrayContaining(
        ['messages', 'widget', 'client', 'cli', 'files', 'timers', 'channels', 'versions']
          .concat(['examples', 'example-events', 'changelog', 'specification/15-channels'])
          .map((page) => `/docs/${page}`),
      ),
    );
    const targets = new Map<string, Promise<string | undefined>>();
    const read = (url: string) => {
      const text = targets.get(url) ?? textAt(url);
      targets.set(url, text);
      return text;
    };
    const broken: string[] = [];
    for (const url of pages) {
      for (const from of [url, `${url}.md`]) {
        for (const link of linksOf((await read(from)) ?? '')) {
          const to = new URL(link, from);
          if (to.origin !== product.origin) continue;
          const target = await read(`${to.origin}${to.pathname}`);
          const anchor = decodeURIComponent(to.hash.slice(1));
          const isThere = anchor === '' || to.pathname.endsWith('.md') || target?.includes(`id="${anchor}"`);
          if (target === undefined || !isThere) broken.push(`${from}: ${link}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  test('a mistyped address below /docs is a page with the guides in a browser, and JSON for programs', async () => {
    const url = `${product.origin}/docs/mesages`;
    const page = await fetch(url, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('href="/docs/messages"');
    const other = await fetch(url);
    expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([404, 'not_found']);
  });

  test('the documentation shows every picture of the message guide', async () => {
    const pictures = linksOf((await textAt(`${product.origin}/docs/messages`)) ?? '').filter((link) =>
      link.endsWith('.png'),
    );
    expect(pictures).toHaveLength(16);
    for (const picture of pictures) {
      const { status, headers } = await fetch(new URL(picture, `${product.origin}/docs/messages`));
      expect([status, headers.get('content-type')], picture).toEqual([200, 'image/png']);
    }
  });
});

/** Returns the text at an address, or undefined if the status is not 200. */
async function textAt(url: string): Promise<string | undefined> {
  const answer = await fetch(url);
  const text = await answer.text();
  return answer.status === 200 ? text : undefined;
}

/** Returns the targets of all links and images in HTML or Markdown, but not those in code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```|<pre[\s\S]*?<\/pre>|`[^`\n]*`/gm, '');
  return [...prose.matchAll(/(?:href|src)="([^"]*)"|\]\(([^)\s]+)\)/g)].map(
    ([, html, markdown = '']) => html ?? markdown,
  );
}
