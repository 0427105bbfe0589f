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
