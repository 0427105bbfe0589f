import { SAVED_VIEWS, viewAddress } from '../domain/operators/saved-views.ts';
import { escapeHtml } from './escaped.ts';
import { firstSteps } from './first-steps.ts';
import type { Addresses } from './first-steps.ts';
import { pageHead } from './page-head.ts';

/** One thing that runs, or does not. */
export interface ComponentStatus {
  name: string;
  what: string;
  ok: boolean;
}

export interface HomeFacts extends Addresses {
  version: string;
  running: ComponentStatus[];
  /** Whether a conversation with the echo bot begins here (spec 12.4). */
  hasEchoBot: boolean;
  /** In which Temporal has the conversations. */
  temporalNamespace: string;
}

/** One press: a conversation, its chat page and the console side by side. */
const BEGIN = `<form method="post" action="console/first-conversation">
        <button type="submit">Start a conversation with the echo bot</button>
        <p>You write on its chat page, and see beside it what agents see.</p>
      </form>`;

/** The page `/`: what runs here, and where to go from here. */
export function homePage(facts: HomeFacts): string {
  const { version, running, publicUrl, temporalUiUrl } = facts;
  const steps = firstSteps({ publicUrl, temporalUiUrl });
  return `${pageHead({ title: 'Parlance', files: 'viewer/', style: 'home.css' })}
  <body>
    <main>
      <h1>Parlance <small>${escapeHtml(version)}</small></h1>
      <p>Durable conversation messaging.</p>
      <ul class="running">
        ${running.map(row).join('\n        ')}
      </ul>
      ${facts.hasEchoBot ? BEGIN : ''}
      <nav aria-label="Where to go">
        <a href="console">Console</a>
        <a href="docs">API reference</a>
        ${temporalUiUrl === undefined ? '' : `<a href="${escapeHtml(temporalUiUrl)}">Temporal</a>`}
        <a href="openapi.json">OpenAPI document</a>
        <a href="metrics">Metrics</a>
        ${steps ? '<a href="#first-steps">First steps</a>' : ''}
      </nav>
      ${operatorViews(facts)}
      ${steps ? `<section id="first-steps">\n<h2>A first conversation</h2>\n${steps}\n</section>` : ''}
    </main>
  </body>
</html>
`;
}

/** Lists in Temporal's pages, for operators; nothing where it is not known where these are. */
function operatorViews({ temporalUiUrl, temporalNamespace }: HomeFacts): string {
  if (temporalUiUrl === undefined) return '';
  const links = SAVED_VIEWS.map((view) => {
    const address = viewAddress(view, temporalUiUrl.replace(/\/$/, ''), temporalNamespace);
    return `<a href="${escapeHtml(address)}">${escapeHtml(view.name)}</a>`;
  });
  return `<section id="operators">
        <h2>For operators</h2>
        <nav aria-label="Views in Temporal">
          ${links.join('\n          ')}
        </nav>
      </section>`;
}

function row({ name, what, ok }: ComponentStatus): string {
  const state = ok ? 'answers' : 'does not answer';
  return `<li class="${ok ? 'ok' : 'down'}"><strong>${escapeHtml(name)}</strong> <span>${escapeHtml(what)}</span> <em>${state}</em></li>`;
}
