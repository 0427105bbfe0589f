import { pageHead } from './page-head.ts';

/**
 * The contact's page: it fills itself by its script. Addresses are relative, so that it also works
 * below a path.
 */
export function viewerPage(): string {
  const head = pageHead({
    title: 'Conversation',
    files: '../viewer/',
    style: 'chat.css',
    script: 'chat.js',
    viewport: ', interactive-widget=resizes-content',
  });
  return `${head}
  <body>
    <div id="chat"></div>
    <noscript><p class="notice">This conversation needs JavaScript.</p></noscript>
  </body>
</html>
`;
}

/** What people see at the address of a conversation that is not there. */
export function notFoundPage(): string {
  return `${pageHead({ title: 'No such conversation', files: '../viewer/', style: 'home.css' })}
  <body>
    <main>
      <h1>There is no conversation here</h1>
      <p>It may have been removed, or the address is incomplete. Please check the link that you were given.</p>
    </main>
  </body>
</html>
`;
}
