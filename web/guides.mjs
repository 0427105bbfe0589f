// Renders the guides and the specification (docs/*.md) into dist/web/guides, with a search index
// and the script of the API reference.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Marked } from 'marked';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = `${root}dist/web/guides`;

/** Guides in the order of the menu. Missing files are skipped. */
const GUIDES = ['bots', 'messages', 'commands', 'forms', 'webhooks', 'streams', 'queries', 'permissions'];
const MORE = ['webhook-payloads', 'events', 'widget', 'client', 'command', 'mistakes', 'compatibility'];
/** Pages whose source is not docs/{path}.md. */
const SOURCES = { client: 'packages/client/README.md', command: 'packages/cli/README.md' };
const findSource = (path) => SOURCES[path] ?? `docs/${path}.md`;
const CHAPTERS = [
  ...[
    '01-service',
    '02-requests',
    '03-authentication',
    '04-organizations',
    '05-conversations',
    '06-messages',
  ],
  ...[
    '07-webhooks',
    '08-business-events',
    '09-lists',
    '10-chat-page',
    '11-operators',
    '12-console',
    '13-widget',
  ],
];
const SECTIONS = [
  { name: 'Guides', paths: [...GUIDES, ...MORE] },
  { name: 'Specification', paths: CHAPTERS.map((chapter) => `specification/${chapter}`) },
].map(({ name, paths }) => ({
  name,
  paths: paths.filter((path) => existsSync(`${root}${findSource(path)}`)),
}));
const SERVED = new Map(SECTIONS.flatMap(({ paths }) => paths.map((path) => [findSource(path), path])));

/** Returns the link's URL on the site, or undefined if the site does not serve the target. */
function resolveLink(href, source, ending = '') {
  if (/^([a-z]+:|#)/i.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${source}`);
  const target = pathname.slice(1);
  if (target.startsWith('docs/pictures/')) return pathname;
  const page = SERVED.get(target);
  return page === undefined ? undefined : `/docs/${page}${ending}${hash}`;
}

/** Matches a code block, a link, or inline code. */
const LINK = /^```[\s\S]*?^```|\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|`[^`\n]*`/gm;

/** Links to pages that are not served become plain text. */
function servedMarkdown(markdown, source) {
  return markdown.replaceAll(LINK, (all, words, href) => {
    if (href === undefined) return all;
    const to = resolveLink(href, source, '.md');
    return to === undefined ? words : `[${words}](${to})`;
  });
}

function buildAnchor(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

const plain = (html) => html.replaceAll(/<[^>]*>/g, '');
const unescapeHtml = (text) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function rendered(path) {
  const source = findSource(path);
  const text = readFileSync(`${root}${source}`, 'utf8');
  const markdown = servedMarkdown(text, source);
  const headings = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const text = unescapeHtml(plain(html));
        const taken = headings.filter((one) => one.base === buildAnchor(text)).length;
        const anchor = taken === 0 ? buildAnchor(text) : `${buildAnchor(text)}-${taken}`;
        headings.push({ text, base: buildAnchor(text), anchor, depth });
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${html}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const to = resolveLink(href, source);
        return to === undefined ? words : `<a href="${to}">${words}</a>`;
      },
      image({ href, text }) {
        return `<img src="${resolveLink(href, source) ?? href}" alt="${text}" loading="lazy">`;
      },
      // Wide code blocks and tables scroll on their own, also with the keyboard.
      code({ text, lang }) {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        return `<pre tabindex="0"><code class="language-${lang ?? 'text'}">${escaped}</code></pre>\n`;
      },
    },
  });
  const html = marked
    .parse(text)
    .replaceAll('<table>', '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');
  const title = headings.find(({ depth }) => depth === 1)?.text ?? path;
  return { path, title, html, markdown, entries: collectEntries({ path, title, html, headings }) };
}

function collectEntries({ path, title, html, headings }) {
  const parts = html.split(/<h[1-6] id="[^"]*">/).slice(1);
  return parts.map((part, at) => {
    const { text = title, anchor = '' } = headings[at] ?? {};
    const words = unescapeHtml(plain(part)).replaceAll(/\s+/g, ' ').trim();
    return { url: `/docs/${path}#${anchor}`, page: title, heading: text, text: words.slice(0, 4000) };
  });
}

/** Returns the API reference's script, which the Fastify package contains as a string. */
function referenceProgram() {
  const at = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(at, 'utf8')) ?? [];
  if (literal === undefined) throw new Error('The program of the API reference is not in its package.');
  return runInNewContext(literal);
}

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
const sections = SECTIONS.map(({ name, paths }) => ({ name, pages: paths.map(rendered) }));
const index = JSON.stringify(sections.flatMap(({ pages }) => pages.flatMap(({ entries }) => entries)));
const shown = sections.map(({ name, pages }) => ({
  name,
  pages: pages.map(({ entries: _, ...page }) => page),
}));
const program = referenceProgram();
const digest = createHash('sha256').update(program).digest('hex').slice(0, 8);
writeFileSync(`${outdir}/guides.json`, JSON.stringify(shown));
writeFileSync(`${outdir}/index.json`, index);
writeFileSync(`${outdir}/reference-${digest}.js`, program);
if (existsSync(`${root}docs/pictures`))
  cpSync(`${root}docs/pictures`, `${outdir}/pictures`, { recursive: true });
