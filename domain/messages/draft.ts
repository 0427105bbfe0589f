import { messageActions, messageItems, assertCompatibleActions } from './actions-and-items.ts';
import type { ActionInput, ItemInput } from './actions-and-items.ts';
import { DEFAULT_TOUCHPOINT } from '../conversations/touchpoint.ts';
import { DomainError, invalidRequest, unprocessable } from '../errors.ts';
import { jsonBytes, assertSafeKey, assertValidMeta } from '../free-form.ts';
import { parseSchedule } from './due-time.ts';
import { ITEM_TYPES, MAX_ENTRIES, MAX_TEXT, SPOKEN_TYPES } from './message.ts';
import type { MessageDraft, MessageRole, MessageType } from './message.ts';
import { parseResult } from './results.ts';
import type { FormResultInput } from './results.ts';
import { definedFields } from '../record-fields.ts';
import type { NullableFields } from '../record-fields.ts';
import { includesScope } from '../scope.ts';
import type { Scope } from '../scope.ts';
import { NO_VISIBLE_CHARACTER, isBlank } from '../characters.ts';
import { isBlankHtml } from '../strip-tags.ts';

const MAX_EXTERNAL_ID_BYTES = 200;
const MAX_SERVICE = 200;
const GUEST_TYPES: readonly MessageType[] = ['chat', 'postback'];

/** A message as callers write it (spec 6.1). */
export type MessageInput = Pick<MessageDraft, 'text'> &
  NullableFields<
    Pick<
      MessageDraft,
      | 'type'
      | 'role'
      | 'contentType'
      | 'isBackchannel'
      | 'user'
      | 'service'
      | 'touchpoint'
      | 'delay'
      | 'sendAt'
      | 'meta'
      | 'serviceType'
      | 'externalId'
    >
  > & {
    items?: ItemInput[] | null | undefined;
    actions?: ActionInput[] | null | undefined;
    results?: FormResultInput[] | null | undefined;
  };

export interface DraftContext {
  id: string;
  slug: string;
  caller: { user: string; scope: Scope };
  now: string;
  /** Configured values; the first is the default (spec 1.4). */
  serviceProviders: readonly string[];
}

/**
 * Applies defaults (spec 6.1). Throws DomainError `forbidden` if the caller's scope is too low,
 * `invalid_request` for an invalid field, `unprocessable` for conflicting fields.
 */
export function draftMessage(input: MessageInput, context: DraftContext): MessageDraft {
  const { caller } = context;
  const type = input.type ?? 'chat';
  const spoken = SPOKEN_TYPES.includes(type);
  const role = spoken ? (input.role ?? (caller.scope === 'guest' ? 'contact' : 'bot')) : undefined;
  assertWithinScope({ type, role, user: input.user }, caller);
  assertValidFields(input);
  const content = buildContent(input, type);
  assertCompatibleActions(content);
  const { service, meta, externalId } = input;
  return {
    id: context.id,
    slug: context.slug,
    text: input.text,
    type,
    ...(role ? { role, contentType: input.contentType ?? 'text/plain' } : {}),
    isBackchannel: input.isBackchannel ?? isOutsideMainThread(role, input),
    user: input.user ?? caller.user,
    touchpoint: input.touchpoint ?? DEFAULT_TOUCHPOINT,
    serviceType: input.serviceType ?? context.serviceProviders[0] ?? 'api',
    ...definedFields({ service, ...parseSchedule(input, context.now), meta, externalId }),
    ...content,
    createdBy: caller.user,
    createdAt: context.now,
  };
}

export function ignoredFields({ type, role, contentType }: MessageInput): string[] {
  return SPOKEN_TYPES.includes(type ?? 'chat') ? [] : Object.keys(definedFields({ role, contentType }));
}

/** Returns the least scope that may post a message as this author (spec 6.3). */
export function scopeToPost({
  type,
  role,
  user,
  createdBy,
}: Pick<MessageDraft, 'type' | 'role' | 'user' | 'createdBy'>): Scope {
  if (user !== undefined && user !== createdBy) return 'bot';
  return GUEST_TYPES.includes(type) && role === 'contact' ? 'guest' : 'agent';
}

/** Returns false for messages of contacts and agents, and for templates (spec 6.1). */
function isOutsideMainThread(role: MessageRole | undefined, { meta }: MessageInput): boolean {
  return role !== 'contact' && role !== 'agent' && meta?.['template'] == null;
}

function assertWithinScope(
  { type, role, user }: { type: MessageType; role: MessageRole | undefined; user: string | null | undefined },
  caller: DraftContext['caller'],
): void {
  if (caller.scope === 'guest') {
    if (!GUEST_TYPES.includes(type)) throw forbiddenError(`type ${type} needs scope agent`);
    if (role !== 'contact') throw forbiddenError('with scope guest, the role of a message is contact');
  }
  if (user && user !== caller.user && !includesScope(caller.scope, 'bot')) {
    throw forbiddenError('a user other than yourself needs scope bot');
  }
}

function forbiddenError(rule: string): DomainError {
  return new DomainError('forbidden', `Not allowed: ${rule}.`);
}

function assertValidFields(input: MessageInput): void {
  const { text, meta, externalId, service, touchpoint } = input;
  assertValidText(text);
  assertVisibleText(input);
  if (externalId != null && (externalId === '' || jsonBytes(externalId) > MAX_EXTERNAL_ID_BYTES + 2)) {
    throw invalidRequest('externalId', `must have 1 to ${MAX_EXTERNAL_ID_BYTES} bytes`);
  }
  if (service != null && !isLengthWithin(service, MAX_SERVICE)) {
    throw invalidRequest('service', `must have 1 to ${MAX_SERVICE} characters`);
  }
  if (touchpoint != null) assertSafeKey(touchpoint, 'touchpoint');
  if (meta) assertValidMeta(meta);
}

export function assertValidText(text: string): void {
  if (!isLengthWithin(text, MAX_TEXT))
    throw invalidRequest('text', `must have 1 to ${MAX_TEXT.toLocaleString('en')} characters`);
}

/** Counts code points. */
function isLengthWithin(text: string, max: number): boolean {
  if (text.length < 1 || text.length > 2 * max) return false;
  return text.length <= max || Array.from(text).length <= max;
}

/** Throws DomainError for invalid content (spec 6.2), or items in a type without items. */
export function buildContent(
  { items, actions, results }: MessageInput,
  type: MessageType,
): Pick<MessageDraft, 'items' | 'actions' | 'results'> {
  if (items?.length && !ITEM_TYPES.includes(type)) {
    throw unprocessable(`type ${type} has no items; chat, card and postback have`, 'items');
  }
  if (results && results.length > MAX_ENTRIES) {
    throw invalidRequest('results', `must be at most ${MAX_ENTRIES}`);
  }
  return definedFields({
    items: items && ITEM_TYPES.includes(type) ? messageItems(items) : undefined,
    actions: actions && messageActions(actions),
    results: results?.map((result, at) => parseResult(result, `results.${at}`)),
  });
}

export function assertVisibleText({
  text,
  items,
  actions,
  contentType,
}: Partial<Pick<MessageInput, 'text' | 'items' | 'actions' | 'contentType'>>): void {
  if (text !== undefined) assertVisible(text, 'text');
  if (contentType === 'text/html' && text && isBlankHtml(text))
    throw invalidRequest('text', NO_VISIBLE_CHARACTER);
  assertVisibleLabels(actions, 'actions');
  items?.forEach((item, at) => {
    assertVisible(item.title, `items.${at}.title`);
    assertVisibleLabels(item.actions, `items.${at}.actions`);
  });
}

function assertVisibleLabels(actions: MessageInput['actions'], path: string): void {
  actions?.forEach(({ text }, at) => {
    assertVisible(text, `${path}.${at}.text`);
  });
}

function assertVisible(text: string, path: string): void {
  if (text !== '' && isBlank(text)) throw invalidRequest(path, NO_VISIBLE_CHARACTER);
}
