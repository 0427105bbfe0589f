// Renders the guides and the specification (docs/*.md) into dist/web/guides, with a search index
// and the script of the API reference.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Marked } from 'marked';
import { LANGUAGES, findRequests, renderRequests } from './request-snippets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = `${root}dist/web/guides`;

/** In the order of the menu. */
const GUIDES = [
  'bots',
  'messages',
  'files',
  'commands',
  'forms',
  'webhooks',
  'streams',
  'contacts',
  'channels',
  'timers',
  'events',
  'queries',
  'permissions',
  'widget',
  'examples',
  'example-events',
];
const LOOKED_UP = [
  'mistakes',
  'webhook-payloads',
  'client',
  'cli',
  'generated-clients',
  'versions',
  'compatibility',
  'changelog',
];
/** Pages whose source is not docs/{path}.md. */
const SOURCES = {
  client: 'packages/client/README.md',
  cli: 'packages/cli/README.md',
  examples: 'examples/README.md',
  'example-events': 'examples/events/README.md',
  changelog: 'CHANGELOG.md',
};
const findSource = (path) => SOURCES[path] ?? `docs/${path}.md`;
const CHAPTERS = readdirSync(`${root}docs/specification`).flatMap((name) =>
  /^\d\d-.*\.md$/.test(name) ? [`specification/${name.slice(0, -3)}`] : [],
);
const SECTIONS = [
  { name: 'Guides', paths: GUIDES },
  { name: 'Reference', paths: LOOKED_UP },
  { name: 'Specification', paths: CHAPTERS.sort() },
];
/** Pages that end with the files of a folder, each under a heading with its path. */
const LISTED_FILES = {
  examples: ['examples', /^[^/]+\.(mjs|py)$/],
  'example-events': ['examples/events', /\//],
};
const SERVED = new Map(SECTIONS.flatMap(({ paths }) => paths.map((path) => [findSource(path), path])));

/** Returns the link's URL on the site, or undefined if the site does not serve the target. */
function resolveLink(href, source, ending = '') {
  if (/^([a-z]+:|#)/i.test(href)) return href;
  const { pathname, hash } = new URL(href, `file:///${source}`);
  const target = pathname.slice(1);
  if (target.startsWith('docs/pictures/')) return pathname;
  const page = SERVED.get(target);
  if (page !== undefined) return `/docs/${page}${ending}${hash}`;
  const listed = findListed(target);
  return listed && `/docs/${listed.page}${ending}#${buildAnchor(listed.name)}`;
}

/** Returns the page and the heading of an example, or of the first file of an example's folder. */
function findListed(target) {
  for (const [page, [folder]] of Object.entries(LISTED_FILES)) {
    const name = listFiles(page).find((one) => `${folder}/${one}`.startsWith(target));
    if (name !== undefined && target.startsWith(`${folder}/`)) return { page, name };
  }
  return undefined;
}

function listFiles(page) {
  const [folder, pattern] = LISTED_FILES[page];
  const names = readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => pattern.test(name)).sort();
}

/** Returns the Markdown source of a page. */
function readSource(path) {
  const text = readFileSync(`${root}${findSource(path)}`, 'utf8');
  if (!(path in LISTED_FILES)) return text;
  const [folder] = LISTED_FILES[path];
  const parts = listFiles(path).map((name) => {
    const [, language] = /([^.]*)$/.exec(name);
    const code = readFileSync(`${root}${folder}/${name}`, 'utf8').trimEnd();
    return `## ${name}\n\n\`\`\`\`${language}\n${code}\n\`\`\`\`\n`;
  });
  return `${text}\n${parts.join('\n')}`;
}

/** Matches a code block, a link, or inline code. */
const LINK = /^(?<fence>```+)[\s\S]*?^\k<fence>$|\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|`[^`\n]*`/gm;

/** Links to pages that are not served become plain text. */
function servedMarkdown(markdown, source) {
  return markdown.replaceAll(LINK, (all, _fence, words, href) => {
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
  const text = readSource(path);
  const markdown = servedMarkdown(text, source);
  const headings = [];
  const requests = renderRequests(findRequests(text)).values();
  let tabs = 0;
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
        if (lang === 'http run') return renderTabs(requests.next().value, ++tabs);
        return renderCode(text, lang ?? 'text');
      },
    },
  });
  const html = marked
    .parse(text)
    .replaceAll('<table>', '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');
  const title = headings.find(({ depth }) => depth === 1)?.text ?? path;
  const contents = headings.flatMap(({ depth, anchor, text }) => (depth === 2 ? [{ anchor, text }] : []));
  return { path, title, html, markdown, contents, entries: collectEntries({ path, title, html, headings }) };
}

function renderCode(text, language) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<pre tabindex="0"><code class="language-${language}">${escaped}</code></pre>\n`;
}

/** Tabs of radio buttons, which need no script. */
function renderTabs(snippet, number) {
  const buttons = LANGUAGES.map(({ name, title }, at) => {
    const id = `language-${number}-${name}`;
    const checked = at === 0 ? ' checked' : '';
    return `<input type="radio" name="language-${number}" id="${id}" value="${name}"${checked}><label for="${id}">${title}</label>`;
  });
  const panels = LANGUAGES.map(
    ({ name, fence }) =>
      `<div class="panel" data-language="${name}">${renderCode(snippet[name].trimEnd(), fence)}</div>`,
  );
  return `<fieldset class="languages"><legend>Language</legend>${buttons.join('')}${panels.join('')}</fieldset>\n`;
}

/** Only one language of a request is found by a search. */
const OTHER_PANELS = /<div class="panel" data-language="(?!curl)[\s\S]*?<\/div>/g;

function collectEntries({ path, title, html, headings }) {
  const parts = html
    .replaceAll(OTHER_PANELS, '')
    .split(/<h[1-6] id="[^"]*">/)
    .slice(1);
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
