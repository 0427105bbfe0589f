import { assetName } from './assets.ts';

interface PageHead {
  /** A tag of BCP 47. */
  language?: string;
  title: string;
  /** The way from the page's address to the pages' files. */
  files: string;
  style: string;
  script?: string;
  /** What a phone is told besides to use its width. */
  viewport?: string;
}

/** How every page begins, up to its body. */
export function pageHead({ language = 'en', title, files, style, script, viewport = '' }: PageHead): string {
  const load = script ? `\n    <script type="module" src="${files}${assetName(script)}"></script>` : '';
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1${viewport}">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="${files}${assetName('icon.svg')}">
    <link rel="stylesheet" href="${files}${assetName(style)}">${load}
  </head>`;
}
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it is written in markup, also inside of attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
/** Where a page of ours may be framed, and what it may frame, as sources of the policy. */
interface Frames {
  frames: readonly string[];
  framedBy: readonly string[];
}

/**
 * The Content-Security-Policy of a page with people's texts in it: nothing runs or is styled but
 * our own files, and text becomes markup only through the sanitizer. Images may come from anywhere
 * on the web; without TLS also from where there is none.
 */
export function pagePolicy(publicUrl: string, { frames, framedBy }: Frames): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: ${webSources(publicUrl)}`,
    `frame-src ${frames.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.join(' ')}`,
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ');
}

/** Everything on the web, without TLS only where the product itself is served so. */
export function webSources(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? 'https:' : 'https: http:';
}
