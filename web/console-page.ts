import { assetName } from './assets.ts';
import { escapeHtml, pageHead } from './page-head.ts';

/** Where `npm start` keeps the generated password of the first admin. */
export interface FirstPassword {
  email: string;
  /** The path, relative to the folder in which the product was started where it is below it. */
  file: string;
}

/**
 * The console: it fills itself by its script. Addresses are relative, so that it also works below a
 * path. `first` is shown to who is about to sign in.
 */
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
