import DOMPurify from 'dompurify';
import { formatAddress, namesOtherHost, readHost, splitLinks } from './links.ts';
import { isNeighbour, parseUrl } from './urls.ts';
import { stripOverrides, stripDirection } from './shown-text.ts';

const TAGS =
  'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s small span strong sub sup table tbody td th thead tr u ul';
const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan'];

DOMPurify.addHook('afterSanitizeAttributes', (element) => {
  for (const name of ['alt', 'title']) {
    const value = element.getAttribute(name);
    if (value !== null) element.setAttribute(name, stripDirection(value));
  }
  if (element.tagName === 'A') prepareLink(element);
  if (element.tagName === 'IMG') {
    const src = webUrl(element.getAttribute('src'));
    if (src === null) element.replaceWith(element.getAttribute('alt') ?? '');
    else if (!element.hasAttribute('alt')) element.setAttribute('alt', '');
  }
});

export function cleanHtml(html: string): DocumentFragment {
  return withoutOverrides(
    DOMPurify.sanitize(html, {
      ALLOWED_TAGS: TAGS.split(' '),
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    }),
  );
}

function withoutOverrides(fragment: DocumentFragment): DocumentFragment {
  const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const isInLink = text.parentElement?.closest('a') != null;
    text.nodeValue = (isInLink ? stripDirection : stripOverrides)(text.nodeValue ?? '');
  }
  return fragment;
}

export function webUrl(given: string | null | undefined): string | null {
  const url = parseLink(given);
  return url && /^https?:$/.test(url.protocol) && !isNeighbour(url, location) ? url.href : null;
}

export function linkUrl(given: string | null | undefined): string | null {
  const url = parseLink(given);
  if (url && ['mailto:', 'tel:'].includes(url.protocol)) return url.href;
  return webUrl(given);
}

function parseLink(given: string | null | undefined): URL | null {
  return given ? parseUrl(given, location.href) : null;
}

/** See spec 6.2. */
export function linkTarget(href: string): { target?: '_blank'; rel?: string } {
  return new URL(href).origin === location.origin ? {} : { target: '_blank', rel: 'noopener noreferrer' };
}

/** Returns the last path segment, or the host of an address without a path. */
export function fileName(url: string): string {
  const { pathname, host } = new URL(url);
  const name = pathname.split('/').filter(Boolean).at(-1) ?? '';
  try {
    return oneLine(stripDirection(decodeURIComponent(name))) || host;
  } catch {
    return name;
  }
}

/** Removes line breaks and invisible characters, which could hide an extension. */
function oneLine(name: string): string {
  return name
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function prepareLink(element: Element): void {
  const href = linkUrl(element.getAttribute('href'));
  if (href === null) {
    element.removeAttribute('href');
    return;
  }
  for (const [name, value] of Object.entries(linkTarget(href))) element.setAttribute(name, value);
  element.setAttribute('title', readHost(href));
  nameTrueHost(element, href);
}

/** Shows the link's URL instead of a text that looks like a URL, else the host behind the text. */
function nameTrueHost(element: Element, href: string): void {
  const words = element.textContent.trim();
  const [only, ...more] = splitLinks(words);
  const isAddress = more.length === 0 && typeof only === 'object' && /^(?:https?:|www\.)/i.test(words);
  if (isAddress) element.textContent = formatAddress(namesOtherHost(words, href) ? href : words);
  else if (namesOtherHost(words, href)) element.append(` (${readHost(href)})`);
}
