import { readFileSync } from 'node:fs';
import { findRequests, renderRequests } from '../../web/request-snippets.mjs';
import type { RequestLanguage } from '../../web/request-snippets.mjs';

export interface Snippet {
  language: string;
  /** The text after the language, such as `run`, `output`, `file=bot.mjs` or `message text`. */
  info: string;
  code: string;
  /** The documented output. `…` matches any text within a line. */
  output: string | undefined;
  /** The requests of a block `http run`, by language. */
  rendered?: Record<RequestLanguage, string> | undefined;
}

/** Returns the fenced blocks of a guide, each with its documented output. */
export function snippetsOf(guide: string): Snippet[] {
  const text = readFileSync(`docs/${guide}.md`, 'utf8');
  const requests = renderRequests(findRequests(text)).values();
  const found: Snippet[] = [];
  for (const [, language = '', info = '', code = ''] of text.matchAll(
    /^```(\w+) ?([^\n]*)\n([^]*?)^```$/gm,
  )) {
    const last = found.at(-1);
    if (info === 'output' && last) last.output = code;
    else {
      const rendered = language === 'http' && info === 'run' ? requests.next().value : undefined;
      found.push({ language, info, code, output: undefined, rendered });
    }
  }
  return found;
}

/** Returns the snippets of a guide in one language. Requests are rendered in it. */
export function inLanguage(snippets: readonly Snippet[], language: RequestLanguage): Snippet[] {
  return snippets.map(({ rendered, ...one }) => (rendered ? { ...one, code: rendered[language] } : one));
}

/** Replaces what Python prints for the values of JSON. */
export function asJson(printed: string): string {
  return printed
    .replaceAll(/\bTrue\b/g, 'true')
    .replaceAll(/\bFalse\b/g, 'false')
    .replaceAll(/\bNone\b/g, 'null');
}

export function isAsSaid(output: string, printed: string): boolean {
  const literal = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '.*')}$`).test(printed.trim());
}
