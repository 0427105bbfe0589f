import { assetName } from './assets.ts';
import { escapeHtml, pageHead } from './page-head.ts';

/** Generated password of the first admin, as `npm start` stores it. */
export interface FirstPassword {
  email: string;
  /** Relative to the start folder if the file is below it. */
  file: string;
}

/** Renders the console page. URLs are relative, so that it also works below a path. */
export function consolePage(first?: FirstPassword): string {
  const head = pageHead({
    title: 'Parlance console',
    files: 'viewer/',
    style: 'console.css',
    script: 'console.js',
  });
  const hint = first ? ` data-first="${escapeHtml(JSON.stringify(first))}"` : '';
  return `${head}
  <body>
    <div id="console" data-logo="viewer/${assetName('icon.svg')}"${hint}></div>
    <noscript><p class="notice">The console needs JavaScript.</p></noscript>
  </body>
</html>
`;
}
