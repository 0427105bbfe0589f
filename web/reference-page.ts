import { escapeHtml } from '../domain/characters.ts';
import { pageHead } from './page-head.ts';

/** An operation of the API description. */
export interface ListedOperation {
  tag: string;
  method: string;
  path: string;
  summary: string;
}

export function buildBar(current: 'reference' | 'guides', more: string): string {
  const link = (href: string, name: string, is: boolean) =>
    `<a href="${href}"${is ? ' aria-current="page"' : ''}>${name}</a>`;
  return `<header class="bar">
      <strong>Parlance</strong>
      <nav aria-label="Documentation">
        ${link('/docs', 'API reference', current === 'reference')}
        ${link('/docs/guides', 'Guides', current === 'guides')}
      </nav>
      ${more}
    </header>`;
}

const SIGN_IN = `<details class="sign-in">
        <summary>Sign in</summary>
        <form id="sign-in">
          <label>Email <input name="email" type="email" autocomplete="username" required></label>
          <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
          <label>One-time password, if you have them <input name="otp" inputmode="numeric" autocomplete="one-time-code"></label>
          <button>Sign in</button>
          <p id="signed-in" role="status"></p>
        </form>
      </details>`;

/** Lists the operations. A click loads `program`, which has megabytes. */
export function referencePage(program: string, operations: readonly ListedOperation[]): string {
  return `${pageHead({ title: 'Parlance API', files: '/viewer/', style: 'docs.css', script: 'reference.js' })}
  <body>
    ${buildBar('reference', SIGN_IN)}
    <noscript>The details of an operation need JavaScript; <a href="/openapi.json">the description</a> does not.</noscript>
    <main>
      <div class="operations" id="operations">
        <h1>Parlance API</h1>
        <p>
          Operations under <code>/v2</code>. Each opens with its fields, samples in several languages and a form that
          sends the request. <a href="/openapi.json">The description</a> is for generators of clients.
        </p>
        <p role="status" id="loading"></p>
        ${renderOperations(operations)}
      </div>
      <div id="reference" data-program="/docs/${program}"></div>
    </main>
  </body>
</html>
`;
}

function renderOperations(operations: readonly ListedOperation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const lists = tags.map((tag) => {
    const items = operations
      .filter((one) => one.tag === tag)
      .map(
        ({ method, path, summary }) =>
          `<li><a href="#${buildFragment({ tag, method, path })}"><code class="method">${method}</code> <code>${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></a></li>`,
      );
    return `<section><h2>${escapeHtml(tag)}</h2><ul>${items.join('')}</ul></section>`;
  });
  return lists.join('');
}

/** The fragment of an operation in the program of the reference. */
function buildFragment({ tag, method, path }: Omit<ListedOperation, 'summary'>): string {
  const slug = tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return escapeHtml(`tag/${slug}/${method}${path}`);
}
