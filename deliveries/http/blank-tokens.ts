const BLANK = '[token]';

/** Limit of nested escapes, such as JSON in JSON in a URL. */
const MAX_LEVELS = 5;
/** Limit of nested encodings, such as base64 in base64. */
const MAX_ENCODINGS = 3;

/** Matches API keys, secrets of widgets and services, and JSON Web Tokens. */
const TOKENS = /(?:plk|pws|whsec)_[\w.~+/=-]{6,}|eyJ[\w-]{10,}(?:[.~][\w-]*)*/g;

const QUOTED_VALUE = /(token["']?\s{0,9}[:=]\s{0,9}["'])([^"']*)/gi;
/** Matches unquoted values after a keyword, except plain words ("basic authentication"). */
const BARE_VALUE =
  /((?:(?:[Tt]oken|TOKEN)["']?\s{0,9}[:=]|parlance_session\w{0,64}=|\b(?:[Bb]earer|[Bb]asic)\s)\s{0,9})(?=[a-z_.-]*[\dA-Z+~/=])([\w.~+/=-]{8,})/g;

const ESCAPES =
  /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([^]))|%([0-9a-f]{2})|%u([0-9a-f]{4})|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|[\0\u00ad\u200b-\u200f\u2060\ufeff]/gi;

/** Patterns of text that may be encoded, each with a decoder. */
const ENCODINGS: [RegExp, (text: string) => string[]][] = [
  [/[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]+)*/g, fromBase64],
  [/(?:[0-9a-f]{2}[\s:,-]?){8,}/gi, (text) => [latin1(Buffer.from(text.replace(/[^0-9a-f]/gi, ''), 'hex'))]],
  [/(?:\d{2,3}[,\s]{1,4}){8,}\d{0,3}/g, (text) => [latin1(Buffer.from(text.split(/\D+/).map(Number)))]],
];

/** Unescaped text, with its characters' positions in the original text. */
interface UnescapedView {
  text: string;
  starts: readonly number[];
  ends: readonly number[];
}

type TextRange = readonly [start: number, end: number];

/** Redacts what looks like a token or secret of the product, also if it is escaped or encoded. */
export function blankTokens(text: string): string {
  const ranges: TextRange[] = [];
  let view: UnescapedView | null = plainView(text);
  for (let level = 0; view && level <= MAX_LEVELS; level += 1) {
    const { starts, ends } = view;
    for (const [from, to] of findTokens(view.text)) ranges.push([starts[from] ?? 0, ends[to - 1] ?? 0]);
    view = unescapeView(view);
  }
  return withoutRanges(text, ranges);
}

function findTokens(text: string): TextRange[] {
  const found: TextRange[] = [...text.matchAll(TOKENS)].map(({ 0: token, index }) => [
    index,
    index + token.length,
  ]);
  for (const pattern of [QUOTED_VALUE, BARE_VALUE]) {
    for (const { 0: all, 1: key = '', index } of text.matchAll(pattern)) {
      if (all.length > key.length) found.push([index + key.length, index + all.length]);
    }
  }
  return [...found, ...findEncodedTokens(text)];
}

function findEncodedTokens(text: string, levels = MAX_ENCODINGS): TextRange[] {
  return ENCODINGS.flatMap(([pattern, read]) =>
    [...text.matchAll(pattern)]
      .filter(({ 0: run }) => read(run).some((decoded) => holdsToken(decoded, levels - 1)))
      .map(({ 0: run, index }): TextRange => [index, index + run.length]),
  );
}

function holdsToken(text: string, levels: number): boolean {
  if (/(?:plk|pws|whsec)_\w|eyJ\w{5}/.test(text)) return true;
  return levels > 0 && findEncodedTokens(text, levels).length > 0;
}

/** Decodes from each of the first four characters, where base64 may begin. */
function fromBase64(run: string): string[] {
  const joined = run.replace(/\s/g, '');
  return [0, 1, 2, 3].map((skipped) => latin1(Buffer.from(joined.slice(skipped), 'base64')));
}

function latin1(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\0', '');
}

function plainView(text: string): UnescapedView {
  const starts = Array.from({ length: text.length }, (_, at) => at);
  return { text, starts, ends: starts.map((at) => at + 1) };
}

/** Returns null if the text has no escapes. */
function unescapeView({ text, starts, ends }: UnescapedView): UnescapedView | null {
  const parts: string[] = [];
  const next = { starts: [] as number[], ends: [] as number[] };
  let done = 0;
  for (const match of text.matchAll(ESCAPES)) {
    const { 0: escape, index } = match;
    parts.push(text.slice(done, index));
    next.starts.push(...starts.slice(done, index));
    next.ends.push(...ends.slice(done, index));
    done = index + escape.length;
    for (const unit of decodeEscape(match)) {
      parts.push(unit);
      next.starts.push(starts[index] ?? 0);
      next.ends.push(ends[done - 1] ?? 0);
    }
  }
  if (done === 0) return null;
  parts.push(text.slice(done));
  return {
    text: parts.join(''),
    starts: [...next.starts, ...starts.slice(done)],
    ends: [...next.ends, ...ends.slice(done)],
  };
}

function decodeEscape(match: RegExpMatchArray): string {
  const [, u, braced, x, single, percent, percentU, decimal, hexadecimal] = match;
  if (single !== undefined) return { n: '\n', r: '\r', t: '\t' }[single] ?? single;
  const hex = u ?? braced ?? x ?? percent ?? percentU ?? hexadecimal;
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
  return code > 0 && code < 0x10000 ? String.fromCharCode(code) : '';
}

function withoutRanges(text: string, ranges: TextRange[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of ranges.toSorted((one, other) => one[0] - other[0])) {
    if (end <= done) continue;
    if (start >= done) parts.push(text.slice(done, start), BLANK);
    done = end;
  }
  return parts.join('') + text.slice(done);
}
