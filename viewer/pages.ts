import { assetName } from './assets.ts';

/** The contact's page: it fills itself by its script. Addresses are relative, so that it also works below a path. */
export function viewerPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
    <meta name="color-scheme" content="light dark">
    <title>Conversation</title>
    <link rel="icon" href="../viewer/${assetName('icon.svg')}">
    <link rel="stylesheet" href="../viewer/${assetName('chat.css')}">
    <script type="module" src="../viewer/${assetName('chat.js')}"></script>
  </head>
  <body>
    <div id="chat"></div>
    <noscript><p class="notice">This conversation needs JavaScript.</p></noscript>
  </body>
</html>
`;
}

/** What people see at the address of a conversation that is not there. */
export function notFoundPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>No such conversation</title>
    <link rel="stylesheet" href="../viewer/${assetName('home.css')}">
  </head>
  <body>
    <main>
      <h1>There is no conversation here</h1>
      <p>It may have been removed, or the address is incomplete. Please check the link that you were given.</p>
    </main>
  </body>
</html>
`;
}
