import { assetName, preloadNames } from './assets.ts';

interface PageHead {
  language?: string;
  title: string;
  /** URL of the folder of the page's files, with a trailing slash. */
  files: string;
  style: string;
  script?: string;
  viewport?: string;
}

export function pageHead({ language = 'en', title, files, style, script, viewport = '' }: PageHead): string {
  const preloads = script ? preloadNames(script).map((name) => `\n    ${preload(files + name)}`) : [];
  const load = script ? `\n    <script type="module" src="${files}${assetName(script)}"></script>` : '';
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1${viewport}">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="${files}${assetName('icon.svg')}">
    <link rel="stylesheet" href="${files}${assetName(style)}">${preloads.join('')}${load}
  </head>`;
}
/** Starts a download that would begin only after the script has been read. */
function preload(url: string): string {
  return `<link rel="modulepreload" href="${url}">`;
}

interface Frames {
  frames: readonly string[];
  framedBy: readonly string[];
}

/**
 * Content-Security-Policy of a page with user texts. Only the sanitizer may create HTML from text.
 */
export function pagePolicy(publicUrl: string, { frames, framedBy }: Frames): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: blob: ${webSources(publicUrl)}`,
    "media-src 'self'",
    `frame-src ${frames.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy.join(' ')}`,
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ');
}

/** Allows plain HTTP only if the product has no TLS. */
export function webSources(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? 'https:' : 'https: http:';
}
