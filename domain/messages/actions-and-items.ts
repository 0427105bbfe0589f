import { assertValidMeta } from '../free-form.ts';
import type { Action, ActionType, MessageDraft, MessageItem, Meta } from './message.ts';
import { definedFields, pick } from '../record-fields.ts';
import type { NullableFields } from '../record-fields.ts';
import { invalidRequest, unprocessable } from '../errors.ts';

export type ActionInput = Pick<Action, 'type' | 'text'> & NullableFields<Omit<Action, 'type' | 'text'>>;

export type ItemInput = Pick<MessageItem, 'title'> &
  NullableFields<Omit<MessageItem, 'title' | 'actions'>> & { actions?: ActionInput[] | null };

/** Fields of an action besides `text` and `meta` (spec 6.2). */
export const ACTION_FIELDS: Record<
  ActionType,
  { words: string; required: ActionField[]; optional: ActionField[] }
> = {
  link: { words: 'Opens an address.', required: ['uri'], optional: [] },
  postback: { words: 'Posts its payload as a postback.', required: ['payload'], optional: [] },
  reply: {
    words: 'A quick reply: posts its payload. Can be combined only with replies and location requests.',
    required: ['payload'],
    optional: ['iconUrl'],
  },
  webview: { words: 'Opens an address within the chat.', required: ['uri', 'fallback'], optional: ['size'] },
  locationRequest: {
    words: 'Requests the location of the contact. Can be combined only with replies and location requests.',
    required: [],
    optional: [],
  },
};
type ActionField = 'uri' | 'payload' | 'iconUrl' | 'fallback' | 'size';

/** Action types that combine only with each other (spec 6.2). */
const EXCLUSIVE: readonly ActionType[] = ['reply', 'locationRequest'];
const ITEM_ACTIONS: readonly ActionType[] = ['link', 'webview', 'postback'];
const MAX_ITEM_ACTIONS = 3;

/** Drops fields that the type does not have. Throws DomainError if invalid. */
export function messageActions(actions: ActionInput[]): Action[] {
  return actions.map((action, at) => parseAction(action, `actions.${at}`));
}

export function messageItems(items: ItemInput[]): MessageItem[] {
  return items.map((item, at) => parseItem(item, `items.${at}`));
}

/**
 * Throws DomainError `unprocessable` if the actions of a message and its items cannot be combined
 * (spec 6.2).
 */
export function assertCompatibleActions({ actions, items }: Pick<MessageDraft, 'actions' | 'items'>): void {
  const withPaths = (list: Action[] = [], path: string) =>
    list.map(({ type }, at) => ({ type, words: `${path}.${at} (${type})` }));
  const all = [
    ...withPaths(actions, 'actions'),
    ...(items ?? []).flatMap((item, at) => withPaths(item.actions, `items.${at}.actions`)),
  ];
  const [first] = all;
  if (!first) return;
  const isExclusive = EXCLUSIVE.includes(first.type);
  const second = all.find(({ type }) => EXCLUSIVE.includes(type) !== isExclusive);
  if (second) throw unprocessable(`${second.words} cannot be combined with ${first.words}`);
}

function parseAction(action: ActionInput, path: string): Action {
  const { required, optional } = ACTION_FIELDS[action.type];
  if (!action.text) throw invalidRequest(`${path}.text`, 'is required');
  for (const field of required) {
    if (!action[field]) throw invalidRequest(`${path}.${field}`, `is required for type ${action.type}`);
  }
  if (action.meta) assertFlatMeta(action.meta, `${path}.meta`);
  const { type, text } = action;
  const size = type === 'webview' ? ('compact' as const) : undefined;
  const fields = pick(action, [...required, ...optional, 'meta']);
  return { type, text, ...definedFields({ size, ...definedFields(fields) }) };
}

function assertFlatMeta(meta: Meta, path: string): void {
  assertValidMeta(meta, path);
  const nested = Object.entries(meta).find(([, value]) => typeof value === 'object' && value !== null);
  if (nested)
    throw invalidRequest(
      `${path}.${nested[0]}`,
      'must not be an object or list: the meta of an action is flat',
    );
}

function parseItem(item: ItemInput, path: string): MessageItem {
  if (!item.title) throw invalidRequest(`${path}.title`, 'is required');
  const { title, description, mediaUrl } = item;
  const mediaType = item.mediaType ?? (mediaUrl ? guessMediaType(mediaUrl) : undefined);
  const actions = item.actions ? itemActions(item.actions, `${path}.actions`) : undefined;
  return {
    title,
    size: item.size ?? 'compact',
    ...definedFields({ description, mediaUrl, mediaType, actions }),
  };
}

function itemActions(actions: ActionInput[], path: string): Action[] {
  if (actions.length < 1 || actions.length > MAX_ITEM_ACTIONS) {
    throw unprocessable(`an item has 1 to ${MAX_ITEM_ACTIONS} actions`, path);
  }
  return actions.map((action, at) => {
    if (ITEM_ACTIONS.includes(action.type)) return parseAction(action, `${path}.${at}`);
    throw unprocessable(
      `${action.type} cannot be an action of an item; link, webview and postback can`,
      `${path}.${at}`,
    );
  });
}

const MEDIA_TYPES: Readonly<Partial<Record<string, string>>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  heic: 'image/heic',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  vcf: 'text/vcard',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

function guessMediaType(url: string): string | undefined {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(MEDIA_TYPES, extension)
    ? MEDIA_TYPES[extension]
    : undefined;
}
