import type { Action, ContentType, MessageItem, Meta } from '../messages/message.ts';
import { readMedia } from '../files/media.ts';
import { stripTags } from '../strip-tags.ts';

export interface RenderedMessage {
  contentType?: ContentType | undefined;
  text: string;
  items?: readonly MessageItem[] | undefined;
  actions?: readonly Action[] | undefined;
  meta?: Meta | undefined;
}

export interface TextPart {
  text: string;
  media: string[];
}

interface Limits {
  characters: number;
  media: number;
  /** Otherwise the address of a file is a line. */
  takesMedia: boolean;
}

/** Returns a message as texts within the limits, in order (spec 15.9). */
export function renderText(message: RenderedMessage, limits: Limits): TextPart[] {
  const { items = [], actions = [] } = message;
  const own = isFile(message)
    ? { media: [message.text], lines: [] }
    : { media: [], lines: [readText(message)] };
  const pictures = items.flatMap(({ mediaUrl }) => mediaUrl ?? []);
  const links = limits.takesMedia ? [] : [...own.media, ...pictures];
  const media = limits.takesMedia ? [...own.media, ...pictures] : [];
  const numbers = new Map(listButtons(message).map((button, at) => [button, at + 1]));
  const listActions = (given: readonly Action[]) => given.flatMap((action) => renderAction(action, numbers));
  const listed = items.flatMap(({ title, description = '', actions: own = [] }) => [
    ...[title, description],
    ...listActions(own),
  ]);
  const lines = [...own.lines, ...links, ...listed, ...listActions(actions)];
  const texts = splitText(lines.filter((line) => line !== '').join('\n'), limits.characters);
  const groups = chunk(media, limits.media);
  return Array.from({ length: Math.max(texts.length, groups.length) }, (_, at) => ({
    text: texts[at] ?? '',
    media: groups[at] ?? [],
  }));
}

const WHOLE: Limits = { characters: Infinity, media: Infinity, takesMedia: false };

/** Returns a message as one text, with the addresses of its files. */
export function renderWhole(message: RenderedMessage): string {
  return renderText(message, WHOLE)[0]?.text ?? '';
}

function isFile({ contentType = 'text/plain', text, meta }: RenderedMessage): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  return (
    contentType.startsWith('image/') || contentType === 'application/pdf' || readMedia(meta) !== undefined
  );
}

function readText({ contentType, text }: RenderedMessage): string {
  return (contentType === 'text/html' ? readHtml(text) : text).trim();
}

function readHtml(html: string): string {
  const lines = html
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([^<]*)<\/a>/gi, '$2 ($1)')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|tr|h\d)>/gi, '\n');
  return stripTags(lines)
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .join('\n');
}

function renderAction(action: Action, numbers: ReadonlyMap<Action, number>): string[] {
  const { text, uri } = action;
  if (uri !== undefined) return [`${text}: ${uri}`];
  const number = numbers.get(action);
  return number === undefined ? [] : [`${number}. ${text}`];
}

type Buttons = Pick<RenderedMessage, 'items' | 'actions'>;

/** Returns the actions that a text shows with numbers, from 1. */
function listButtons({ items = [], actions = [] }: Buttons): Action[] {
  const all = [...items.flatMap((item) => item.actions ?? []), ...actions];
  return all.filter(({ payload, uri }) => payload !== undefined && uri === undefined);
}

const NUMBER = /^\s*(\d{1,2})\s*[.)]?\s*$/;

/** Returns the payload of the button that a reply names by its number (spec 15.9). */
export function readNumber(reply: string, message: Buttons): string | undefined {
  const [, number] = NUMBER.exec(reply) ?? [];
  return number === undefined ? undefined : listButtons(message)[Number(number) - 1]?.payload;
}

/** Splits at the last blank of each part, and never within a character. */
function splitText(text: string, most: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const start = rest.slice(0, most + 1);
    const blank = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '));
    const isUsable = blank > most / 2;
    const at = isUsable ? blank : most - (isHighSurrogate(rest.charCodeAt(most - 1)) ? 1 : 0);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function chunk<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size));
  return chunks;
}
