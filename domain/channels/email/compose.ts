import { escapeHtml } from '../../characters.ts';
import { renderText } from '../render-text.ts';
import type { RenderedMessage } from '../render-text.ts';

export interface MailContent {
  text: string;
  html: string;
  /** Addresses of files, which are in neither of the two. */
  files: string[];
}

const ALL = { characters: Infinity, media: Infinity, takesMedia: true };
const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** Returns a message as plain text and as HTML (spec 15.10). */
export function composeMail(message: RenderedMessage): MailContent {
  const [{ text, media } = { text: '', media: [] }] = renderText(message, ALL);
  const isHtml = message.contentType === 'text/html';
  const rest = isHtml
    ? (renderText({ ...message, text: '', contentType: 'text/plain' }, ALL)[0]?.text ?? '')
    : text;
  const html = [isHtml ? message.text : '', formatLines(rest)].filter((part) => part !== '').join('\n');
  return { text, html, files: media };
}

/** Adds lines with the addresses of files that are not attached. */
export function withLinks(
  { text, html }: Pick<MailContent, 'text' | 'html'>,
  links: readonly string[],
): Pick<MailContent, 'text' | 'html'> {
  if (links.length === 0) return { text, html };
  const lines = links.join('\n');
  return { text: text === '' ? lines : `${text}\n\n${lines}`, html: `${html}\n${formatLines(lines)}`.trim() };
}

export interface MailFooter {
  organization: string;
  /** Address of a picture. */
  logo?: string | undefined;
  signature?: string | undefined;
}

/** Adds the signature, which mail programs recognize by its delimiter (RFC 3676), and the logo. */
export function withFooter(
  { text, html }: Pick<MailContent, 'text' | 'html'>,
  { organization, logo, signature }: MailFooter,
): Pick<MailContent, 'text' | 'html'> {
  const picture =
    logo === undefined
      ? ''
      : `<p><img src="${escapeHtml(logo)}" alt="${escapeHtml(organization)}" height="40"></p>`;
  const signed = signature === undefined ? '' : formatLines(`-- \n${signature}`);
  return {
    text: signature === undefined ? text : `${text}\n\n-- \n${signature}`.trimStart(),
    html: [html, signed, picture].filter((part) => part !== '').join('\n'),
  };
}

export function formatLines(text: string): string {
  if (text === '') return '';
  const lines = text.split('\n').map((line) => line.split(ADDRESS).map(formatPart).join(''));
  return `<p>${lines.join('<br>\n')}</p>`;
}

/** `split` alternates texts and addresses. */
function formatPart(part: string, at: number): string {
  const escaped = escapeHtml(part);
  return at % 2 === 0 ? escaped : `<a href="${escaped}">${escaped}</a>`;
}
