import { readFileSync } from 'node:fs';

export interface Snippet {
  language: string;
  /** The text after the language, such as `run`, `output`, `file=bot.mjs` or `message text`. */
  info: string;
  code: string;
  /** The documented output. `…` matches any text within a line. */
  output: string | undefined;
}

/** Returns the fenced blocks of a guide, each with its documented output. */
export function snippetsOf(guide: string): Snippet[] {
  const text = readFileSync(`docs/${guide}.md`, 'utf8');
  const found: Snippet[] = [];
  for (const [, language = '', info = '', code = ''] of text.matchAll(
    /^```(\w+) ?([^\n]*)\n([^]*?)^```$/gm,
  )) {
    const last = found.at(-1);
    if (info === 'output' && last) last.output = code;
    else found.push({ language, info, code, output: undefined });
  }
  return found;
}

export function isAsSaid(output: string, printed: string): boolean {
  const literal = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '.*')}$`).test(printed.trim());
}
