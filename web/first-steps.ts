import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeHtml } from './escaped.ts';

const HEADING = '## A first conversation';
/** Where the README has it all run. */
const [README_API, README_TEMPORAL] = ['http://localhost:3000', 'http://localhost:8233'];

export interface Addresses {
  /** Of the API, without /v2. */
  publicUrl: string;
  temporalUiUrl: string | undefined;
}

/**
 * The README's first steps as markup, with the addresses at which it all runs here; empty where
 * there is no README, as in an image that only runs the product.
 */
export function firstSteps(addresses: Addresses): string {
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

/** Paragraphs and blocks of commands: all that the section has. */
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

/** The marks within a line that the README has: code, and emphasis by one or two signs. */
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
