import { assetName } from './assets.ts';
import { getTexts } from './texts/languages.ts';
import { escapeHtml } from '../domain/characters.ts';
import { pageHead } from './page-head.ts';
import type { Branding } from './look.ts';

// The URLs in these pages are relative, so that the pages also work below a path.

export function viewerPage(language: string, look: Branding): string {
  const { conversation, needsJavaScript } = getTexts(language);
  const head = pageHead({
    language,
    title: escapeHtml(look.title || conversation),
    files: '../viewer/',
    style: 'chat.css',
    script: 'chat.js',
    viewport: ', interactive-widget=resizes-content',
  });
  return `${head}
  <body>
    <div id="chat" data-look="${escapeHtml(JSON.stringify(look))}"></div>
    <noscript><p class="notice">${needsJavaScript}</p></noscript>
  </body>
</html>
`;
}

export function notFoundPage(language: string): string {
  const { notFound, whyNotFound } = getTexts(language);
  return `${pageHead({ language, title: notFound, files: '../viewer/', style: 'home.css' })}
  <body>
    <main>
      <h1>${notFound}</h1>
      <p>${whyNotFound}</p>
    </main>
  </body>
</html>
`;
}

export function notBegunPage(why: string): string {
  return `${pageHead({ title: 'Not started', files: '../viewer/', style: 'home.css' })}
  <body>
    <main>
      <h1>The conversation was not started</h1>
      <p role="alert">${escapeHtml(why)}</p>
      <p><a href="../">Back to the start page</a></p>
    </main>
  </body>
</html>
`;
}

/** Email of the first admin, and the file in which `npm start` stores the generated password. */
export interface FirstPassword {
  email: string;
  /** Relative to the start folder if the file is below it. */
  file: string;
}

interface ConsoleFacts {
  first?: FirstPassword | undefined;
  /** Forgotten passwords are mended by mail. */
  sendsMail: boolean;
}

export function consolePage({ first, sendsMail }: ConsoleFacts): string {
  const head = pageHead({
    title: 'Parlance console',
    files: 'viewer/',
    style: 'console.css',
    script: 'console.js',
  });
  const hint = first ? ` data-first="${escapeHtml(JSON.stringify(first))}"` : '';
  return `${head}
  <body>
    <div id="console" data-logo="viewer/${assetName('icon.svg')}"${sendsMail ? ' data-mail' : ''}${hint}></div>
    <noscript><p class="notice">The console needs JavaScript.</p></noscript>
  </body>
</html>
`;
}
