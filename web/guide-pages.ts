import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assetName } from './assets.ts';
import { escapeHtml, pageHead } from './page-head.ts';

const FOLDER = fileURLToPath(new URL('./guides/', import.meta.url));

interface GuidePage {
  path: string;
  title: string;
  html: string;
  markdown: string;
}

interface Section {
  name: string;
  pages: GuidePage[];
}

export interface ServedFile {
  type: string;
  read: () => string | Buffer;
}

/** Returns the served files by URL path. Throws if the pages were not built. */
export function guidePages(publicUrl: string): Map<string, ServedFile> {
  const built = JSON.parse(readFileSync(`${FOLDER}guides.json`, 'utf8')) as Section[];
  const sections = built.filter(({ pages }) => pages.length > 0);
  const overview = { path: 'guides', title: 'Guides', html: `<h1>Guides</h1>${renderLists(sections)}` };
  const reference = readdirSync(FOLDER).find((name) => /^reference-\w+\.js$/.test(name)) ?? '';
  const pages = sections.flatMap((section) => section.pages);
  const file = (name: string) => () => readFileSync(`${FOLDER}${name}`);
  const pictures = existsSync(`${FOLDER}pictures`)
    ? readdirSync(`${FOLDER}pictures`, { recursive: true, encoding: 'utf8' })
    : [];
  return new Map<string, ServedFile>([
    ['/docs', { type: 'text/html', read: () => referencePage(reference) }],
    ['/docs/guides', { type: 'text/html', read: () => guidePage(sections, overview) }],
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

function header(current: 'reference' | 'guides', more: string): string {
  const link = (href: string, name: string, is: boolean) =>
    `<a href="${href}"${is ? ' aria-current="page"' : ''}>${name}</a>`;
  return `<header class="bar">
      <strong>Parlance</strong>
      <nav aria-label="Documentation">
        ${link('/docs', 'API reference', current === 'reference')}
        ${link('/docs/guides', 'Guides', current === 'guides')}
      </nav>
      ${more}
    </header>`;
}

const SIGN_IN = `<details class="sign-in">
        <summary>Sign in</summary>
        <form id="sign-in">
          <label>Email <input name="email" type="email" autocomplete="username" required></label>
          <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
          <label>One-time password, if you have them <input name="otp" inputmode="numeric" autocomplete="one-time-code"></label>
          <button>Sign in</button>
          <p id="signed-in" role="status"></p>
        </form>
      </details>`;

function referencePage(reference: string): string {
  return `${pageHead({ title: 'Parlance API', files: '/viewer/', style: 'docs.css' })}
  <body>
    ${header('reference', SIGN_IN)}
    <noscript>The reference needs JavaScript; <a href="/openapi.json">the description</a> does not.</noscript>
    <main id="reference"></main>
    <script src="/docs/${reference}"></script>
    <script type="module" src="/viewer/${assetName('reference.js')}"></script>
  </body>
</html>
`;
}

const SEARCH = `<form role="search" class="search" id="search">
        <label>Search the guides <input name="q" type="search" autocomplete="off" aria-controls="found"></label>
      </form>`;

function guidePage(sections: Section[], page: Omit<GuidePage, 'markdown'>): string {
  return `${pageHead({ title: `${escapeHtml(page.title)} · Parlance`, files: '/viewer/', style: 'docs.css', script: 'guide.js' })}
  <body class="guide">
    ${header('guides', SEARCH)}
    <div class="columns">
      <nav class="pages" aria-label="Guides">${renderLists(sections, page.path)}</nav>
      <main>
        <section id="found" aria-live="polite" aria-label="Found"></section>
        <article>${page.html}</article>
      </main>
    </div>
  </body>
</html>
`;
}

/** Overview for language models (`/llms.txt`). */
function llmsText(sections: Section[], publicUrl: string): string {
  const lists = sections.map(({ name, pages }) => {
    const lines = pages.map(({ title, path }) => `- [${title}](${publicUrl}/docs/${path}.md)`);
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# Parlance

> Durable conversation messaging: bots talk to it over REST, contacts over a chat page, other systems post business events to it. Webhooks hear of everything, signed and in order.

The API is at ${publicUrl}/v2. Every request but signing in carries \`Authorization: Bearer <token>\`.

## API

- [OpenAPI 3.1 description](${publicUrl}/openapi.json): every operation, body, answer, error and webhook, with examples

${lists.join('\n')}`;
}
