import { pageHead } from './page-head.ts';

/**
 * The console: it fills itself by its script. Addresses are relative, so that it also works below a
 * path.
 */
export function consolePage(): string {
  const head = pageHead({
    title: 'Parlance console',
    files: 'viewer/',
    style: 'console.css',
    script: 'console.js',
  });
  return `${head}
  <body>
    <div id="console"></div>
    <noscript><p class="notice">The console needs JavaScript.</p></noscript>
  </body>
</html>
`;
}
