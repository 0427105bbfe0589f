import { options, render } from 'preact';
import { stripOverrides } from '../components/shown-text.ts';
import { App, beginScreen } from './app.tsx';
import { applyLastLanguage } from './load-language.ts';
import { followLinks, parseHash } from './route.ts';
import { mayHaveSession } from './session.ts';
import './console.css';

const SHOWN_ATTRIBUTES = ['title', 'aria-label', 'alt', 'placeholder'] as const;

/** In every text of the console: a name with an override reads as another name. */
function stripAllOverrides(): void {
  const next = options.vnode?.bind(options);
  options.vnode = (vnode) => {
    const props = vnode.props as Record<string, unknown>;
    if (typeof vnode.type === 'string') {
      for (const name of ['children', ...SHOWN_ATTRIBUTES])
        if (name in props) props[name] = stripValue(props[name]);
    }
    next?.(vnode);
  };
}

function stripValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripValue);
  return typeof value === 'string' ? stripOverrides(value) : value;
}

const place = document.getElementById('console');
followLinks();
stripAllOverrides();
if (mayHaveSession()) beginScreen(parseHash(location.hash));
if (place) void applyLastLanguage().then(() => render(<App />, place));
