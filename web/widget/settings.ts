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
  'Add data-organization to the script tag, or set window.ParlanceSettings = { url, organization }.';

const ID = /^[0-9a-f]{24}$/;

/**
 * Reads `window.ParlanceSettings`, then the tag, then the query of the script's URL. Searches other
 * tags too, because tag managers move the settings to another tag.
 */
export function findSettings(): Settings | undefined {
  const global = (window as unknown as { ParlanceSettings?: SettingsInput }).ParlanceSettings ?? {};
  const tag = ownTag() ?? findTag();
  const src = tag?.src && isScript(tag.src) ? tag.src : (findTag()?.src ?? findLoaded());
  const given: SettingsInput = Object.assign(parseQuery(src), tag?.dataset, global);
  const base = parseFolder(given['url'] ? `${given['url'].replace(/\/$/, '')}/` : src);
  const { language = '', email, telephone, name, signature } = given;
  const organization = given['organization']?.trim();
  if (base && organization) return { organization, language, base, email, telephone, name, signature };
  const missing = organization ? 'address' : 'organization';
  console.warn(`Parlance: the widget lacks its ${missing}. ${HELP}`);
  return undefined;
}

/** Returns no tag in a module script, because `document.currentScript` is null there. */
function ownTag(): HTMLScriptElement | undefined {
  const { currentScript } = document;
  const isOurs = currentScript instanceof HTMLScriptElement && currentScript.dataset['organization'];
  return isOurs ? currentScript : undefined;
}

/** Prefers a tag with an id, because other products have a widget.js too. */
function findTag(): HTMLScriptElement | undefined {
  const tags = listTags(document);
  const hasId = ({ dataset, src }: HTMLScriptElement) =>
    ID.test((dataset['organization'] ?? parseQuery(src)['organization'] ?? '').trim());
  return tags.find(hasId) ?? tags.find(({ dataset }) => !dataset['organization']);
}

/** Searches shadow roots too, because `document.currentScript` is null in a shadow root. */
function listTags(root: ParentNode): HTMLScriptElement[] {
  const within = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  const own = [...root.querySelectorAll('script')].filter(({ src }) => isScript(src));
  return [...own, ...within.flatMap(listTags)];
}

/** A module that `import()` loaded has no tag. */
function findLoaded(): string | undefined {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  return loaded.find((name) => isScript(name) && parseQuery(name)['organization']);
}

const isScript = (src: string) => /^https?:[^?#]*\/widget\.js(?:[?#]|$)/.test(src);

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
