import { parseUrl } from './urls.ts';
import { stripDirection } from './shown-text.ts';

export interface Link {
  text: string;
  href: string;
}

interface FoundLink {
  from: number;
  to: number;
  href: string;
}

const SIGNS = /https?:\/\/|www\.|@|\+|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|\(?0|\(\+/gi;

/** Finds URLs, mail addresses and telephone numbers. The concatenated parts equal the text. */
export function splitLinks(text: string): (string | Link)[] {
  const parts: (string | Link)[] = [];
  let done = 0;
  for (const { index, 0: sign } of text.matchAll(SIGNS)) {
    if (index < done) continue;
    const found = linkAt(text, { index, sign: sign.toLowerCase(), done });
    if (!found) continue;
    if (found.from > done) parts.push(text.slice(done, found.from));
    parts.push({ text: text.slice(found.from, found.to), href: found.href });
    done = found.to;
  }
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}

interface LinkCandidate {
  index: number;
  sign: string;
  done: number;
}

function linkAt(text: string, { index, sign, done }: LinkCandidate): FoundLink | undefined {
  if (sign === '@') return mailAt(text, index, done);
  if (sign === 'www.') return isWordBefore(text, index) ? undefined : webAt(text, index, 'http://');
  return sign.startsWith('http') ? webAt(text, index, '') : telephoneAt(text, index);
}

function isWordBefore(text: string, index: number): boolean {
  return index > 0 && /[\w.@/+-]/.test(text.charAt(index - 1));
}

const ENDS = /[\s\p{C}\p{Default_Ignorable_Code_Point}<>"'—―]|(?![!-~]|\p{Pd})\p{P}/u;
const NEXT_URL = /^(?:https?:\/\/|www\.)/i;
const LATIN = /[!-~]|\p{Script=Latin}|\p{M}|\p{Pd}/u;
const TRAILING = /[.,;:!?*~`|]|(?!-)\p{Pd}/u;
const BRACKETS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

function webAt(text: string, from: number, scheme: string): FoundLink | undefined {
  const start = from + (scheme === '' ? text.slice(from).search(/\/\//) + 2 : 0);
  const pathAt = hostEnd(text, start);
  const isShort = scheme !== '' && !/^www\.[^.]+\.[^.]/i.test(text.slice(from, pathAt));
  if (isShort || !parseUrl(scheme + text.slice(from, pathAt))) return undefined;
  const to = trimmedEnd(text, start, endOfAddress(text, pathAt));
  const href = parseUrl(scheme + text.slice(from, to))?.href;
  return href === undefined ? undefined : { from, to, href };
}

/**
 * Returns the end of a URL. A letter of another script directly after a letter or digit ends the
 * URL, unless the path already contains letters of another script.
 */
function endOfAddress(text: string, pathAt: number): number {
  const afterHost = text.slice(pathAt, pathAt + 1);
  if (!/[/?#:]/.test(afterHost)) return pathAt;
  let hasOthers = false;
  let before = '';
  let at = pathAt;
  for (const character of text.slice(pathAt)) {
    if (/[,;|]/.test(character) && NEXT_URL.test(text.slice(at + 1, at + 9))) return at;
    if (ENDS.test(character)) return at;
    const isOther = !LATIN.test(character);
    if (isOther && !hasOthers && /[\p{L}\p{N}]/u.test(before)) return at;
    hasOthers ||= isOther;
    before = character;
    at += character.length;
  }
  return at;
}

/** Letters of another script after an ASCII top-level domain are not part of the host. */
function hostEnd(text: string, start: number): number {
  const rest = text.slice(start, start + 2_048);
  let to = 0;
  for (const character of rest) {
    if (/[/?#,;|]/.test(character) || ENDS.test(character)) break;
    to += character.length;
  }
  const host = rest.slice(0, to);
  const last = host.slice(host.lastIndexOf('.') + 1);
  const ascii = /^[a-z]+/i.exec(last)?.[0] ?? '';
  const next = String.fromCodePoint(last.codePointAt(ascii.length) ?? 0x2f);
  const goesOn = host.includes('.') && ascii !== '' && !LATIN.test(next);
  return start + (goesOn ? host.length - last.length + ascii.length : to);
}

/**
 * Excludes trailing punctuation, and closing brackets whose opening brackets are before the URL.
 */
function trimmedEnd(text: string, start: number, end: number): number {
  let to = end;
  const open = countBrackets(text.slice(start, end));
  for (; to > start; to -= 1) {
    const character = text.charAt(to - 1);
    const opening = BRACKETS[character];
    if (opening === undefined ? TRAILING.test(character) : (open[opening] ?? 0) < 0) {
      if (opening !== undefined) open[opening] = (open[opening] ?? 0) + 1;
    } else if (Object.values(BRACKETS).includes(character)) open[character] = (open[character] ?? 0) - 1;
    else break;
  }
  return to;
}

function countBrackets(text: string): Record<string, number> {
  const open: Record<string, number> = {};
  for (const character of text) {
    const opening = BRACKETS[character] ?? character;
    if ('([{'.includes(opening)) open[opening] = (open[opening] ?? 0) + (opening === character ? 1 : -1);
  }
  return open;
}

const LOCAL = /[\w.!#$%&'*+/=?^{}~-]/;
const MAX_LOCAL = 64;
const DOMAIN = /[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63}){1,8}/uy;
const TOP_LEVEL = /\.(?:[a-z]{2,}|xn--[a-z\d-]+|(?:(?![a-z\d-])[\p{L}\p{M}])+)$/iu;
/** Characters before an address that may belong to it. */
const JOINED = /[\p{L}\p{M}\p{N}\p{Cf}@]$|[^\s\p{Ps}][’´ʼ`\p{Sk}\\]$/u;

/** Returns the whole address or nothing: a part of an address belongs to another person. */
function mailAt(text: string, at: number, done: number): FoundLink | undefined {
  let from = at;
  while (from > done && at - from <= MAX_LOCAL && LOCAL.test(text.charAt(from - 1))) from -= 1;
  const before = text.slice(Math.max(0, from - 3), from);
  const isWhole = !LOCAL.test(before.slice(-1)) && !JOINED.test(before);
  while (from < at && !/\w/.test(text.charAt(from))) from += 1;
  DOMAIN.lastIndex = at + 1;
  const domain = DOMAIN.exec(text)?.[0].replace(/-+$/, '') ?? '';
  const to = at + 1 + domain.length;
  const isEnd = !/^(?:\.?[\p{L}\p{M}\p{N}]|[@_\p{Cf}])/u.test(text.slice(to, to + 3));
  const isMail = isWhole && isEnd && from < at && TOP_LEVEL.test(domain) && parseUrl(`http://${domain}`);
  if (!isMail) return undefined;
  const scheme = text.slice(Math.max(done, from - 7), from).toLowerCase() === 'mailto:' ? 7 : 0;
  return { from: from - scheme, to, href: `mailto:${text.slice(from, to)}` };
}

const NUMBER = /(?:\(?\+|\(?\d)[\d \u00A0().\-/]{5,24}/y;
const LEAST_DIGITS = 9;
const [MOST_DIGITS, MOST_NATIONAL_DIGITS] = [15, 12];
/** Decimals, counts and dates such as `05-11-2026` are not telephone numbers. */
const OTHER = /^0[., ]|^\d{1,2}([-./ ])\d{1,2}\1(?:\d{4}|\d\d(?!\1?\d))/;

function telephoneAt(text: string, from: number): FoundLink | undefined {
  if (isWordBefore(text, from) || /#$|[A-Z\d][ \u00A0]$/.test(text.slice(Math.max(0, from - 2), from)))
    return undefined;
  NUMBER.lastIndex = from;
  const found = NUMBER.exec(text)?.[0] ?? '';
  const number = (/^.*\d/.exec(found)?.[0] ?? '').replace(/[ \u00A0().\-/]{3,}.*$/, '');
  const to = from + number.length;
  const digits = number.replace(/\(0\)/, '').replace(/\D/g, '');
  const most = /^\(?(?:\+|00)/.test(number) ? MOST_DIGITS : MOST_NATIONAL_DIGITS;
  const isNumber = digits.length >= LEAST_DIGITS && digits.length <= most && !OTHER.test(number);
  if (!isNumber || /[\w@]/.test(text.charAt(to))) return undefined;
  return { from, to, href: `tel:${number.includes('+') ? '+' : ''}${digits}` };
}

/**
 * Formats a URL for display without user info and direction controls. Shows Punycode if the written
 * host could be mistaken for another host.
 */
export function formatAddress(text: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^(https?:[\\/]*)?([^/\\?#]*)(.*)$/is.exec(text) ?? [];
  const url = parseUrl(scheme === '' ? `http://${text}` : text);
  if (!url) return stripDirection(text);
  const written = authority.slice(authority.lastIndexOf('@') + 1);
  return stripDirection(`${scheme}${formatHost(written, url)}${rest}`);
}

/** Returns the host, or the whole URL if the URL has no host. */
export function readHost(href: string): string {
  const url = parseUrl(href);
  return url?.host ? url.host : stripDirection(href);
}

const HOST = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;

/** Returns whether a text names a host to which the link does not lead. */
export function namesOtherHost(text: string, href: string): boolean {
  if (!/^https?:/i.test(href)) return false;
  const trueHost = readHost(href).replace(/:\d+$/, '');
  const named = (text.match(HOST) ?? []).map((host) => readHost(`http://${host.toLowerCase()}`));
  return named.some((host) => !`.${trueHost}`.endsWith(`.${host.replace(/^www\./, '')}`));
}

function formatHost(written: string, { host, hostname }: URL): string {
  const name = written.replace(/:\d*$/, '').toLowerCase();
  if (!hostname.includes('xn--')) return hostname === name ? written : host;
  return name.split('.').every(isUnambiguous) ? written : host;
}

const LOOKALIKES = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαγικνορτυωχ\d-]+$/u;
/** Scripts that a host name may mix with each other and with ASCII. */
const TOGETHER = [
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーa-z\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}a-z\d-]+$/u,
];
const ALONE = [
  ...['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Thai', 'Devanagari', 'Bengali', 'Tamil', 'Georgian'].map(
    (script) => new RegExp(`^[\\p{Script=${script}}\\p{Mn}\\p{Mc}\\d-]+$`, 'u'),
  ),
];

function isUnambiguous(name: string): boolean {
  if (/^[\w-]*$/.test(name)) return true;
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđþð]/g, 'x');
  if (/^[a-z\d-]+$/.test(plain)) return true;
  return !LOOKALIKES.test(name) && [...TOGETHER, ...ALONE].some((script) => script.test(name));
}
