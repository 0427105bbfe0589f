import './chat.css';
import './print.css';
import './standing.css';
import { render } from 'preact';
import { summarizeNews, visibleName } from '../components/shown-text.ts';
import { TEXTS, getLanguage, setTexts } from '../components/texts.ts';
import { renewUnseen } from '../components/version.ts';
import { showAlert } from './alerts.ts';
import { App, IS_FOR_AGENT, focusComposer } from './app.tsx';
import { Chat } from './chat.ts';
import type { Branding } from '../look.ts';
import { findHost } from './host.ts';
import type { Host } from './host.ts';
import { currentDraft, useHostStorage } from './stored-values.ts';
import { getTexts } from '../texts/languages.ts';

// The server chose the language (spec 10.6).
setTexts(getTexts(getLanguage()));

const root = document.getElementById('chat');
if (root) void begin(root, findHost());

async function begin(root: HTMLElement, host: Host): Promise<void> {
  const look = JSON.parse(root.dataset['look'] ?? '{"title":""}') as Branding;
  applyTheme(look);
  // The website sends its stored values at once.
  if (host.isWidget) useHostStorage(host, await host.known);
  show(root, { look, host });
}

function show(root: HTMLElement, { look, host }: { look: Branding; host: Host }): void {
  const chat = new Chat({
    begun: (slug) => host.tell({ begun: slug, page: { draft: currentDraft() } }),
    returned: () => void renewUnseen(() => !document.hidden && host.isOpen()),
    heard(message) {
      const { author, role = 'bot' } = message;
      const text = summarizeNews(message, TEXTS);
      if (text === undefined || (!document.hidden && document.hasFocus() && host.isOpen())) return;
      showAlert({ title: visibleName(author) ?? (look.title || TEXTS.authors[role]), text });
    },
  });
  host.watch(({ slug = '' }) => {
    if (!location.pathname.endsWith(slug)) chat.begunElsewhere();
  });
  render(<App chat={chat} look={look} host={host} />, root);
  if (IS_FOR_AGENT) focusComposer();
}

/** The Content-Security-Policy forbids inline styles. */
function applyTheme({ palette }: Branding): void {
  if (!palette) return;
  const { style } = document.documentElement;
  const { mine, onMine, accent } = palette;
  style.setProperty('--mine', mine);
  style.setProperty('--on-mine', onMine);
  style.setProperty('--accent', `light-dark(${accent.light}, ${accent.dark})`);
}
