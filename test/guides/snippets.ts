import { readFileSync } from 'node:fs';

/** A fenced block of a guide. */
export interface Snippet {
  language: string;
  /** What stands behind the language: `run`, `output`, `file=bot.mjs`, `message text`. */
  info: string;
  code: string;
  /** What it says that it prints; `…` stands for anything within a line. */
  output: string | undefined;
}

/** The fenced blocks of a guide, each with the output that follows it. */
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

/** Whether what was printed is what the guide says. */
export function isAsSaid(output: string, printed: string): boolean {
  const literal = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '.*')}$`).test(printed.trim());
}
