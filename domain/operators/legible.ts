/** What Markdown, the language of Temporal's pages, or a table's row would take for itself. */
const MARKUP = /[[\]<>`\\|*_~\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * A name that people gave, as text among the marks of a page: it can neither load a picture, begin
 * a link nor end a row there. At most so many characters; what is cut ends in `…`.
 */
export function escapeMarkdown(name: string, max: number): string {
  const plain = Array.from(name.replace(MARKUP, ' ').replace(/\s+/g, ' ').trim());
  return plain.length <= max
    ? plain.join('')
    : `${plain
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
