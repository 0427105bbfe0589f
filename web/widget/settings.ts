import type { Visitor } from './key.ts';

/** Settings of the widget (docs/widget.md). */
export interface Settings extends Visitor {
  organization: string;
  language: string;
  /** Base URL of the product, with a trailing slash. */
  base: URL;
}

type SettingsInput = Record<string, string | undefined>;

const HELP =
  'Parlance: the widget lacks its organization. Add data-organization to the script tag, or set window.ParlanceSettings = { url, organization } before the script.';

/** Searches other tags too, because tag managers move the settings to another tag. */
export function findSettings(): Settings | undefined {
  const global = (window as unknown as { ParlanceSettings?: SettingsInput }).ParlanceSettings ?? {};
  const tag = ownTag() ?? findTag('script[data-organization]');
  const src = tag?.src || findTag('script[src*="/widget.js"]')?.src;
  const given: SettingsInput = {
    ...parseQuery(src),
    ...global,
    ...(tag && Object.fromEntries(Object.entries(tag.dataset))),
  };
  const base = parseFolder(given['url'] ? `${given['url'].replace(/\/$/, '')}/` : src);
  const { organization, language = '', email, telephone, name, signature } = given;
  if (base && organization) return { organization, language, base, email, telephone, name, signature };
  console.warn(HELP);
  return undefined;
}

/** Returns no tag in a module script, because `document.currentScript` is null there. */
function ownTag(): HTMLScriptElement | undefined {
  const { currentScript } = document;
  const isOurs = currentScript instanceof HTMLScriptElement && currentScript.dataset['organization'];
  return isOurs ? currentScript : undefined;
}

/** Searches shadow roots too, because `document.currentScript` is null in a shadow root. */
function findTag(selector: string, root: ParentNode = document): HTMLScriptElement | undefined {
  const found = root.querySelector<HTMLScriptElement>(selector);
  if (found) return found;
  for (const { shadowRoot } of root.querySelectorAll('*')) {
    const within = shadowRoot && findTag(selector, shadowRoot);
    if (within) return within;
  }
  return undefined;
}

function parseFolder(address: string | undefined): URL | undefined {
  try {
    const url = new URL('.', new URL(address ?? '', location.href));
    return address && /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Parses `widget.js?organization=…`, because tag managers remove attributes. */
function parseQuery(src: string | undefined): SettingsInput {
  const { search } = parseFolder(src) ? new URL(src ?? '') : { search: '' };
  return Object.fromEntries(new URLSearchParams(search));
}
