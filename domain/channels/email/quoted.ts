/** Introductions of quotes: English, Dutch, German, French, Spanish. */
const INTRODUCTIONS = [
  /^On\b.{3,400}\bwrote\s?:$/i,
  /^Op\b.{3,300}\bschreef\b.{0,200}:$/i,
  /^Op\b.{3,400}\bheeft\b.{0,200}\bgeschreven\s?:$/i,
  /^Am\b.{3,300}\bschrieb\b.{0,200}:$/i,
  /^Le\b.{3,400}\ba écrit\s?:$/i,
  /^El\b.{3,400}\bescribió\s?:$/i,
];
/** Not a sentence of the mail itself. */
const HAS_SENDER = /@|\b\d{4}\b|\d{1,2}[:.h]\d{2}/;
const MAX_INTRODUCTION = 600;
const INTRODUCTION_LINES = 3;

const SEPARATOR =
  /^[-_]{2,}\s*(?:original message|oorspronkelijk bericht|ursprüngliche nachricht|message d['’]origine|mensaje original)\s*[-_]{2,}$/i;
const RULE = /^_{10,}$/;
const HEADER = /^\*?(?:from|van|von|de)\s?:\*?\s*\S/i;
const OTHER_HEADER =
  /^\*?(?:sent|date|to|subject|verzonden|datum|aan|onderwerp|gesendet|an|betreff|envoyé|à|objet|enviado(?: el)?|fecha|para|asunto)\s?:/i;
const HEADER_LINES = 6;
const SIGNATURE = /^-- ?$/;

/** Lines above a forwarded mail: Gmail, Thunderbird and mutt, then Apple Mail. */
const FORWARDED = [
  /^-{2,}\s*(?:forwarded message(?: from .+)?|doorgestuurd bericht|weitergeleitete nachricht|message (?:transféré|transmis)|mensaje reenviado)\s*-{2,}$/i,
  /^(?:begin forwarded message|begin doorgestuurd bericht|anfang der weitergeleiteten (?:nachricht|e-mail)|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado)\s?:$/i,
];
/** Outlook marks a forwarded mail by its subject alone. */
const FORWARDED_SUBJECT = /^\s*(?:fwd?|wg|tr|rv|doorst)\s?:/i;

export interface CutMail {
  text: string;
  isCut: boolean;
}

/**
 * Cuts the quoted mail and the signature off a reply, in linear time (spec 15.11). A forwarded mail
 * is kept: it is what the sender wants to show.
 */
export function cutQuote(given: string, subject = ''): CutMail {
  const lines = given
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  const end = FORWARDED_SUBJECT.test(subject) ? lines.length : findEnd(lines);
  const kept = foldBlank(lines.slice(0, end));
  if (kept === '') return { text: foldBlank(lines), isCut: false };
  return { text: kept, isCut: lines.slice(end).some((line) => line !== '') };
}

function findEnd(lines: readonly string[]): number {
  const texts = lines.map((line) => line.trim());
  const lastOwn = texts.findLastIndex((line) => line !== '' && !isQuoted(line));
  let signature: number | undefined;
  for (const [at, line] of texts.entries()) {
    if (isForwarded(texts, at)) return lines.length;
    if (line === '' || isQuoted(line)) continue;
    if (SIGNATURE.test(line)) signature ??= at;
    if (SEPARATOR.test(line) || isHeaderBlock(texts, at)) return signature ?? at;
    const next = findIntroduced(texts, at);
    // Text below the quote is a reply within it.
    if (next !== undefined && (!isQuoted(texts[next] ?? '') || lastOwn < next)) return signature ?? at;
  }
  return signature ?? lastOwn + 1;
}

/** Apple Mail quotes a forwarded mail, sometimes with the line above it. */
function isForwarded(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (line.length > MAX_INTRODUCTION) return false;
  const isInside = isQuoted(line) && at > 0 && isQuoted(lines[at - 1] ?? '');
  return !isInside && FORWARDED.some((pattern) => pattern.test(line.replace(/^>\s*/, '')));
}

function isQuoted(line: string): boolean {
  return line.startsWith('>');
}

/** Returns the first line behind an introduction. Mail programs wrap it. */
function findIntroduced(lines: readonly string[], at: number): number | undefined {
  let joined = '';
  for (let length = 1; length <= INTRODUCTION_LINES; length += 1) {
    const line = lines[at + length - 1] ?? '';
    if (line === '' || isQuoted(line)) return undefined;
    joined = joined === '' ? line : `${joined} ${line}`;
    if (joined.length > MAX_INTRODUCTION) return undefined;
    if (!joined.endsWith(':')) continue;
    const next = skipBlank(lines, at + length);
    const isSure = isQuoted(lines[next] ?? '') || HAS_SENDER.test(joined);
    if (isSure && INTRODUCTIONS.some((pattern) => pattern.test(joined))) return next;
  }
  return undefined;
}

const MAX_BLANK = 5;

function skipBlank(lines: readonly string[], at: number): number {
  let next = at;
  while (next < at + MAX_BLANK && lines[next] === '') next += 1;
  return next;
}

/** Outlook repeats headers in place of an introduction. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const first = RULE.test(lines[at] ?? '') ? skipBlank(lines, at + 1) : at;
  if (!HEADER.test(lines[first] ?? '')) return false;
  const others = lines.slice(first + 1, first + HEADER_LINES).filter((line) => OTHER_HEADER.test(line));
  return others.length >= 2;
}

function foldBlank(lines: readonly string[]): string {
  const kept = lines.filter((line, at) => line !== '' || lines[at - 1] !== '');
  return kept.join('\n').trim();
}
