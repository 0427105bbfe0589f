import { MAX_EMAIL_CHARACTERS } from './contact-profile.ts';
import { invalidRequest } from './errors.ts';

/** Characters that browsers accept before the `@`, and any non-ASCII. */
const LOCAL_PART = /^(?:[\w.!#$%&'*+/=?^`{|}~-]|[^\0-\x7f])+$/;
const DOMAIN = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;
const LETTERS = /^[\p{L}\p{N}\p{M}]+$/u;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const ALL_UNSEEN = new RegExp(UNSEEN, 'gu');
const BEYOND_ASCII = /[^\0-\x7f]+/g;

/**
 * Returns the stored form of an email (spec 4.4): trimmed, lower case, ASCII domain. Returns
 * undefined for other texts, and for non-ASCII letters that folding would change: folding must
 * never turn one address into another.
 */
export function canonicalEmail(text: string): string | undefined {
  const email = lowerAscii(text.trim());
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0));
  const domain = asciiDomain(email.slice(at + 1));
  if (domain === undefined || !LOCAL_PART.test(local) || !isCanonicalUnicode(email)) return undefined;
  const canonical = `${local}@${domain}`;
  return canonical.length > MAX_EMAIL_CHARACTERS ? undefined : canonical;
}

/** Returns the stored form, or a text that matches no record. Copying adds unseen characters. */
export function lookupEmail(text: string): string {
  const seen = text.replace(ALL_UNSEEN, '');
  return canonicalEmail(seen) ?? lowerAscii(seen.trim());
}

const FULL_WIDTH = /[\uff01-\uff5e]/g;
const TO_ASCII = 0xfee0;

/** Returns the stored form of an email as people type or paste it into a log-in form. */
export function loginEmail(given: string): string {
  const typed = given
    .replace(FULL_WIDTH, (one) => String.fromCharCode(one.charCodeAt(0) - TO_ASCII))
    .replace(/[\u3002\uff61]/g, '.')
    // Not the whole text: NFC turns the Kelvin sign into K.
    .replace(/\P{M}\p{M}+/gu, (letter) => letter.normalize('NFC'));
  const address = /<([^<>]+)>\s*$/.exec(typed)?.[1] ?? typed.replace(/^\s*mailto:/i, '');
  return lookupEmail(address.replace(BEYOND_ASCII, toLowerCaseBeyondAscii));
}

function toLowerCaseBeyondAscii(letters: string): string {
  const small = Array.from(letters, (letter) => [letter, letter.toLowerCase()] as const);
  return small.map(([letter, lower]) => (/[\0-\x7f]/.test(lower) ? letter : lower)).join('');
}

export function parseEmail(given: string, path: string): string {
  const email = canonicalEmail(given);
  if (email === undefined) throw invalidRequest(path, describeEmailProblem(given));
  return email;
}

export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

function describeEmailProblem(given: string): string {
  const unseen = UNSEEN.exec(given.trim())?.[0];
  if (unseen !== undefined) {
    const code = (unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `must be an email address; this one has an invisible character, U+${code}`;
  }
  const folded = given.trim().normalize('NFKC').toLowerCase();
  if (folded !== lowerAscii(given.trim()) && canonicalEmail(folded) !== undefined) {
    return 'must be an email address; write its letters outside ASCII in lower case and in their plain form';
  }
  return 'must be an email address and nothing else, as in ada@example.com';
}

function isCanonicalUnicode(email: string): boolean {
  const others = email.match(BEYOND_ASCII)?.join('') ?? '';
  if (others === '') return true;
  if (UNSEEN.test(others) || !LETTERS.test(others)) return false;
  return email.normalize('NFKC') === email && email.toLowerCase() === email;
}

function asciiDomain(domain: string): string | undefined {
  const ascii = /[^\0-\x7f]|xn--/.test(domain) ? parseHost(domain) : domain;
  return ascii !== undefined && DOMAIN.test(ascii) ? ascii : undefined;
}

function parseHost(domain: string): string | undefined {
  // Characters that end the host of a URL.
  if (/[/\\?#:@%\s]/.test(domain)) return undefined;
  try {
    return new URL(`https://${domain}/`).hostname;
  } catch {
    return undefined;
  }
}
