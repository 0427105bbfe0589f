import { SAVED_VIEWS, viewAddress } from '../domain/operators/saved-views.ts';
import { assetName } from './assets.ts';
import { escapeHtml } from '../domain/characters.ts';
import { pageHead } from './page-head.ts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ComponentStatus {
  name: string;
  what: string;
  ok: boolean;
}

export interface HomeFacts extends Addresses {
  version: string;
  running: ComponentStatus[];
  /** See spec 12.4. */
  hasEchoBot: boolean;
  temporalNamespace: string;
}

const BEGIN = `<form method="post" action="console/first-conversation">
        <button type="submit">Start a conversation with the echo bot</button>
        <p>You write on its chat page, and see beside it what agents see.</p>
      </form>`;

export function homePage(facts: HomeFacts): string {
  const { version, running, publicUrl, temporalUiUrl } = facts;
  const steps = firstSteps({ publicUrl, temporalUiUrl });
  return `${pageHead({ title: 'Parlance', files: 'viewer/', style: 'home.css' })}
  <body>
    <main>
      <h1>Parlance <small>${escapeHtml(version)}</small></h1>
      <p>Durable conversation messaging.</p>
      <ul class="running">
        ${running.map(row).join('\n        ')}
      </ul>
      ${facts.hasEchoBot ? BEGIN : ''}
      <nav aria-label="Where to go">
        <a href="console">Console</a>
        <a href="docs/guides">Guides</a>
        <a href="docs">API reference</a>
        ${temporalUiUrl === undefined ? '' : `<a href="${escapeHtml(temporalUiUrl)}">Temporal</a>`}
        <a href="openapi.json">OpenAPI document</a>
        <a href="metrics">Metrics</a>
        ${steps ? '<a href="#first-steps">First steps</a>' : ''}
        <a href="viewer/${assetName('third-party.txt')}">Licences</a>
      </nav>
      ${operatorViews(facts)}
      ${steps ? `<section id="first-steps">\n<h2>A first conversation</h2>\n${steps}\n</section>` : ''}
    </main>
  </body>
</html>
`;
}

function operatorViews({ temporalUiUrl, temporalNamespace }: HomeFacts): string {
  if (temporalUiUrl === undefined) return '';
  const links = SAVED_VIEWS.map((view) => {
    const address = viewAddress(view, temporalUiUrl.replace(/\/$/, ''), temporalNamespace);
    return `<a href="${escapeHtml(address)}">${escapeHtml(view.name)}</a>`;
  });
  return `<section id="operators">
        <h2>For operators</h2>
        <nav aria-label="Views in Temporal">
          ${links.join('\n          ')}
        </nav>
      </section>`;
}

function row({ name, what, ok }: ComponentStatus): string {
  const state = ok ? 'responds' : 'does not respond';
  return `<li class="${ok ? 'ok' : 'down'}"><strong>${escapeHtml(name)}</strong> <span>${escapeHtml(what)}</span> <em>${state}</em></li>`;
}

const HEADING = '## A first conversation';
const [README_API, README_TEMPORAL] = ['http://localhost:3000', 'http://localhost:8233'];

interface Addresses {
  publicUrl: string;
  temporalUiUrl: string | undefined;
}

/** Renders the README's first steps, or nothing in the container image, which has no README. */
function firstSteps(addresses: Addresses): string {
  const path = readmePath(dirname(fileURLToPath(import.meta.url)));
  if (path === undefined) return '';
  const readme = readFileSync(path, 'utf8');
  const from = readme.indexOf(HEADING);
  if (from < 0) return '';
  const section = readme.slice(from + HEADING.length);
  const end = section.search(/^## /m);
  return renderMarkup(withAddresses(end < 0 ? section : section.slice(0, end), addresses));
}

function withAddresses(section: string, { publicUrl, temporalUiUrl = README_TEMPORAL }: Addresses): string {
  const api = publicUrl === README_API ? '' : `API=${publicUrl}/v2 `;
  return section
    .replaceAll(/(?<=^|`)node examples/gm, () => `${api}node examples`)
    .replaceAll(README_API, () => publicUrl)
    .replaceAll(README_TEMPORAL, () => temporalUiUrl);
}

function readmePath(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const readme = join(at, 'README.md');
    if (existsSync(readme)) return readme;
    if (at === dirname(at) || existsSync(join(at, 'package.json'))) return undefined;
  }
}

/** Supports only the Markdown of the README section. */
function renderMarkup(section: string): string {
  return section
    .split(/^```\w*\n(.*?)^```$/gms)
    .map((part, at) => (at % 2 ? `<pre tabindex="0">${escapeHtml(part)}</pre>` : renderParagraphs(part)))
    .join('\n');
}

function renderParagraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => (paragraph.startsWith('- ') ? list(paragraph) : `<p>${renderWords(paragraph)}</p>`))
    .join('\n');
}

function list(paragraph: string): string {
  const lines = paragraph.slice(2).split('\n- ');
  return `<ul>${lines.map((line) => `<li>${renderWords(line)}</li>`).join('')}</ul>`;
}

function renderWords(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 ? `<code>${escapeHtml(part)}</code>` : emphasis(escapeHtml(part))))
    .join('');
}

function emphasis(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)(.+?)\1/gs, '<strong>$2</strong>')
    .replace(/(^|[\s(])([*_])(?=\S)(.+?)\2(?![\w*])/gs, '$1<em>$3</em>');
}
