import { getTexts } from './texts/languages.ts';
import { escapeHtml, pageHead } from './page-head.ts';
import type { Branding } from './look.ts';

/** Renders the chat page. URLs are relative, so that it also works below a path. */
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
