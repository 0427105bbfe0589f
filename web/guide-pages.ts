import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from '../domain/characters.ts';
import { pageHead } from './page-head.ts';
import { buildBar, referencePage } from './reference-page.ts';
import type { ListedOperation } from './reference-page.ts';

const FOLDER = fileURLToPath(new URL('./guides/', import.meta.url));

interface GuidePage {
  path: string;
  title: string;
  html: string;
  markdown: string;
  /** Second-level headings. */
  contents: { anchor: string; text: string }[];
}

interface Section {
  name: string;
  pages: GuidePage[];
}

export interface ServedFile {
  type: string;
  read: () => string | Buffer;
}

/** Path of the page for mistyped addresses below /docs. */
export const MISSING_GUIDE = '/docs/missing';

/** Returns the served files by URL path. Throws if the pages were not built. */
export function guidePages(
  publicUrl: string,
  listOperations: () => readonly ListedOperation[],
): Map<string, ServedFile> {
  const built = JSON.parse(readFileSync(`${FOLDER}guides.json`, 'utf8')) as Section[];
  const sections = built.filter(({ pages }) => pages.length > 0);
  const overview = {
    path: 'guides',
    title: 'Guides',
    contents: [],
    html: `<h1>Guides</h1>${renderLists(sections)}`,
  };
  const lost = '<h1>Page not found</h1><p>There is no page at this address. These are the guides:</p>';
  const missing = { ...overview, title: 'Page not found', html: `${lost}${renderLists(sections)}` };
  const reference = readdirSync(FOLDER).find((name) => /^reference-\w+\.js$/.test(name)) ?? '';
  const pages = sections.flatMap((section) => section.pages);
  const file = (name: string) => () => readFileSync(`${FOLDER}${name}`);
  const pictures = existsSync(`${FOLDER}pictures`)
    ? readdirSync(`${FOLDER}pictures`, { recursive: true, encoding: 'utf8' })
    : [];
  return new Map<string, ServedFile>([
    ['/docs', { type: 'text/html', read: () => referencePage(reference, listOperations()) }],
    ['/docs/guides', { type: 'text/html', read: () => guidePage(sections, overview) }],
    [MISSING_GUIDE, { type: 'text/html', read: () => guidePage(sections, missing) }],
    ['/docs/index.json', { type: 'application/json', read: file('index.json') }],
    [`/docs/${reference}`, { type: 'text/javascript', read: file(reference) }],
    ...pages.flatMap((page): [string, ServedFile][] => [
      [`/docs/${page.path}`, { type: 'text/html', read: () => guidePage(sections, page) }],
      [`/docs/${page.path}.md`, { type: 'text/markdown', read: () => page.markdown }],
    ]),
    ...pictures
      .filter((name) => name.endsWith('.png'))
      .map((name): [string, ServedFile] => [
        `/docs/pictures/${name}`,
        { type: 'image/png', read: file(`pictures/${name}`) },
      ]),
    ['/llms.txt', { type: 'text/plain', read: () => llmsText(sections, publicUrl) }],
  ]);
}

function renderLists(sections: Section[], current?: string): string {
  const lists = sections.map(({ name, pages }) => {
    const items = pages.map(({ path, title }) => {
      const mark = path === current ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${path}"${mark}>${escapeHtml(title)}</a></li>`;
    });
    return `<h2>${name}</h2><ul>${items.join('')}</ul>`;
  });
  return lists.join('');
}

const SEARCH = `<form role="search" class="search" id="search">
        <label>Search the guides <input name="q" type="search" autocomplete="off" aria-controls="found"></label>
      </form>`;

function guidePage(sections: Section[], page: Omit<GuidePage, 'markdown'>): string {
  return `${pageHead({ title: `${escapeHtml(page.title)} · Parlance`, files: '/viewer/', style: 'docs.css', script: 'guide.js' })}
  <body class="guide">
    ${buildBar('guides', SEARCH)}
    <div class="columns">
      <nav class="pages" aria-label="Guides">${renderLists(sections, page.path)}</nav>
      <main>
        <section id="found" aria-live="polite" aria-label="Found"></section>
        <article>${page.html}</article>
      </main>
      ${renderContents(page.contents)}
    </div>
  </body>
</html>
`;
}

function renderContents(contents: GuidePage['contents']): string {
  if (contents.length < 2) return '';
  const items = contents.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

/** Overview for language models (`/llms.txt`). */
function llmsText(sections: Section[], publicUrl: string): string {
  const lists = sections.map(({ name, pages }) => {
    const lines = pages.map(({ title, path }) => `- [${title}](${publicUrl}/docs/${path}.md)`);
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# Parlance

> Durable conversation messaging: bots talk to it over REST, contacts over a chat page, other systems post business events to it. Webhooks receive all events, signed and in order.

The API is at ${publicUrl}/v2. Every request but signing in carries \`Authorization: Bearer <token>\`.

## API

- [OpenAPI 3.1 description](${publicUrl}/openapi.json): every operation, body, response, error and webhook, with examples

${lists.join('\n')}`;
}
