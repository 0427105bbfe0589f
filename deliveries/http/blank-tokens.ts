import { constants, inflateRawSync } from 'node:zlib';

const MAX_LEVELS = 4;
/** Limit of characters to search, over all decoded forms of a text. */
const MAX_SEARCHED = 192 * 1024;
/** Shorter decoded text is chance. The start of a token is longer. */
const MIN_CHARACTERS = 12;
const MAX_INFLATED = 4;
const INFLATE = { maxOutputLength: 64 * 1024, finishFlush: constants.Z_SYNC_FLUSH };

const PREFIXED = /(?:plk|pws|whsec)_[\w.~+/=-]{6,}/;
/** Matches a prefix in text without spaces. Words may follow it, so the rest is checked. */
const JOINED_PREFIX = /(?:plk|pws|whsec)_([\w-]{20})/g;
const MENTIONED_PREFIX = /(?:plk|pws|whsec)_(?=[.,:;)]? \w)/g;
/** Matches the beginning of a JSON object in base64, such as a part of a JSON Web Token. */
const JSON_START = /eyJ[\w-]{9}/g;

const QUOTED_VALUE = /token["']?\s{0,9}[:=]\s{0,9}["'](?!\[token\])[^"']/i;
const BARE_VALUE =
  /(?:(?:[Tt]oken|TOKEN)["']?\s{0,9}[:=]|parlance_session\w{0,64}=|\b(?:[Bb]earer|[Bb]asic)\s)\s{0,9}([\w.~+/=-]{8,})/g;
/** Matches plain words, as in "basic authentication" and "token: InvalidTokenError". */
const WORDS = /^[A-Z]?[a-z]+(?:(?:[A-Z]|[_.-]+[A-Z]?)[a-z]+)*[_.-]*$/;

const ESCAPES =
  /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([0-3][0-7]{2})|([^]))|[%=]([0-9a-f]{2})|%u([0-9a-f]{4})|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&(?:lowbar|UnderBar);|[\0\u00ad\u200b-\u200f\u2060\ufeff]/gi;

/** Matches tags, offsets, quotes and operators between the pieces of a text. */
const JOINTS =
  /<[^<>]{0,200}>|^[ \t]{0,9}[\da-f]{4,16}:?[ \t]{1,9}|["'`]\s{0,40}[.+&,]?\s{0,40}\\?\s{0,40}["'`]/gim;
/** Matches a line of hexdump or xxd, with its offset and its column of characters. */
const HEX_LINE = /^[\da-f]{4,16}:?[ \t]{1,9}((?:[\da-f]{2,4}[ \t]{1,2}){1,16}).*$/gim;

const DECODERS: ((text: string) => string[])[] = [
  (text) => [text.replace(ESCAPES, decodeEscape)],
  (text) => (/[^\0-\x7f]/.test(text) ? [text.normalize('NFKC')] : []),
  fromBase64,
  fromBase32,
  fromHex,
  (text) => [fromNumbers(text.replace(/"\d{1,5}"\s?:/g, ' '), /(?<!\d)\d{2,3}(?!\d)/g, 10)],
  (text) => [fromNumbers(text, /(?<!\d)0{0,2}[0-7]{2,3}(?!\d)/g, 8)],
  (text) => [fromNumbers(text, /(?<!\d)[01]{7,8}(?!\d)/g, 2)],
];

export function blankTokens(text: string): string {
  return holdsToken(text) ? '[token]' : text;
}

/**
 * Returns whether a text holds what looks like a token or secret of the product, or one of the
 * `known` secrets, also if it is split, escaped, encoded or compressed. Returns true for text with
 * more decoded forms than are searched.
 */
export function holdsToken(text: string, known: readonly string[] = []): boolean {
  const starts = known.map((one) => join(one).slice(0, 16)).filter(({ length }) => length >= 8);
  const searched = new Set<string>();
  let found = [text];
  let left = MAX_SEARCHED;
  for (let level = 0; found.length > 0 && level <= MAX_LEVELS; level += 1) {
    const decoded: string[] = [];
    for (const one of found) {
      if (searched.has(one)) continue;
      searched.add(one);
      left -= one.length;
      if (left < 0 || showsToken(one, starts)) return true;
      for (const decode of DECODERS) decoded.push(...decode(one));
    }
    found = decoded.filter(({ length }) => length >= MIN_CHARACTERS);
  }
  return false;
}

function showsToken(text: string, starts: readonly string[]): boolean {
  if (PREFIXED.test(text) || QUOTED_VALUE.test(text)) return true;
  if ([...text.matchAll(BARE_VALUE)].some(([, value = '']) => !WORDS.test(value))) return true;
  const joined = join(text);
  return (
    [...joined.matchAll(JSON_START)].some(([start]) => isJson(start)) ||
    [...joined.matchAll(JOINED_PREFIX)].some(([, rest = '']) => rest.replace(/[^\dA-Z]/g, '').length >= 6) ||
    starts.some((start) => joined.includes(start))
  );
}

function isJson(base64: string): boolean {
  return /^\{"\w+(?:":|$)/.test(Buffer.from(base64, 'base64').toString('latin1'));
}

function join(text: string): string {
  return text
    .replace(MENTIONED_PREFIX, '')
    .replace(JOINTS, '')
    .replace(/[^\w-]/g, '');
}

function decodeEscape(...[escape, ...groups]: (string | undefined)[]): string {
  const [u, braced, x, octal, single, percent, percentU, decimal, hexadecimal] = groups;
  if (single !== undefined) return { n: '\n', r: '\r', t: '\t' }[single] ?? single;
  if (/^&[lu]/i.test(escape ?? '')) return '_';
  const hex = u ?? braced ?? x ?? percent ?? percentU ?? hexadecimal;
  const code =
    hex === undefined ? Number.parseInt(octal ?? '', 8) || Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code < 0x10000 ? String.fromCharCode(code) : '';
}

function fromBase64(text: string): string[] {
  const joined = text.replace(JOINTS, '').replace(/[^\w+/-]/g, '');
  const whole = [0, 1, 2, 3].flatMap((skipped) => readBytes(Buffer.from(joined.slice(skipped), 'base64')));
  const runs = text.match(/[\w+/-]{20,}(?:\r?\n[\w+/-]+)*/g) ?? [];
  const raw = runs.slice(0, MAX_INFLATED).map((run) => inflateRaw(Buffer.from(run, 'base64')));
  return [...whole, ...raw];
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

function fromBase32(text: string): string[] {
  const runs =
    text
      .match(/[A-Z2-7]{16,}|[a-z2-7]{16,}/g)
      ?.join('')
      .toLowerCase() ?? '';
  if (runs === '') return [];
  const values = Array.from(runs, (one) => BASE32.indexOf(one));
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((skipped) => {
    const bytes = Buffer.alloc(Math.floor(((values.length - skipped) * 5) / 8));
    let bits = 0;
    for (let at = 0, read = skipped, count = 0; at < bytes.length; at += 1, count -= 8) {
      for (; count < 8; count += 5) bits = ((bits << 5) | (values[read++] ?? 0)) & 0xffff;
      bytes[at] = (bits >> (count - 8)) & 0xff;
    }
    return readBytes(bytes);
  });
}

function fromHex(text: string): string[] {
  const runs =
    text
      .replace(HEX_LINE, '$1 ')
      .replace(/0x|\\x/gi, ' ')
      .match(/[\da-f]{2,}/gi) ?? [];
  const cut = (run: string, from: number) => run.slice(from, run.length - ((run.length - from) % 2));
  const even = Buffer.from(runs.map((run) => cut(run, 0)).join(''), 'hex');
  const odd = Buffer.from(runs.map((run) => cut(run, run.length % 2)).join(''), 'hex');
  const words = Buffer.from(runs.filter(({ length }) => length === 4).join(''), 'hex').swap16();
  return [...[even, odd, words].map((bytes) => printable(bytes.toString('latin1'))), ...inflate(even)];
}

function fromNumbers(text: string, pattern: RegExp, base: number): string {
  const codes = (text.match(pattern) ?? []).map((digits) => Number.parseInt(digits, base));
  return codes
    .filter((code) => code >= 0x20 && code < 0x7f)
    .reduce((all, code) => all + String.fromCharCode(code), '');
}

/** Returns the readable parts of bytes, and of compressed parts. */
function readBytes(bytes: Buffer): string[] {
  const text = bytes.toString('latin1').replaceAll('\0', '');
  return [(text.match(/[\t\n\r\x20-\x7e]{12,}/g) ?? []).join('\n'), ...inflate(bytes)];
}

const COMPRESSED = [
  [0x1f, 0x8b, 0x08],
  [0x78, 0x01],
  [0x78, 0x9c],
  [0x78, 0xda],
];

/** Decompresses what looks like gzip or zlib. Reads no checksum, because other text may follow. */
function inflate(bytes: Buffer): string[] {
  return COMPRESSED.flatMap((start) => {
    const texts: string[] = [];
    let at = bytes.indexOf(Buffer.from(start));
    for (; at !== -1 && texts.length < MAX_INFLATED; at = bytes.indexOf(Buffer.from(start), at + 1)) {
      const hasName = start.length === 3 && ((bytes[at + 3] ?? 0) & 8) !== 0;
      const header = start.length === 3 ? 10 : 2;
      texts.push(inflateRaw(bytes.subarray(hasName ? bytes.indexOf(0, at + header) + 1 : at + header)));
    }
    return texts;
  });
}

function inflateRaw(bytes: Buffer): string {
  try {
    return printable(inflateRawSync(bytes, INFLATE).toString('latin1'));
  } catch {
    return '';
  }
}

function printable(text: string): string {
  return text.replace(/[^\t\n\r\x20-\x7e]/g, '');
}
