import type { Static } from 'typebox';
import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import { commandHint } from '../../../domain/effects/command.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import type { MessageInput } from '../../../domain/messages/draft.ts';
import type { MessageDraft, Meta } from '../../../domain/messages/message.ts';
import type { addressedMessagesInput, messagesInput } from '../../../schema/message-body.ts';
import { prepareMessages } from '../../../application/posting/draft-messages.ts';
import type { SentPost } from '../../../application/posting/posting-context.ts';
import { presentPosted } from '../../../application/presenters/presenters.ts';
import { findMessages, isHidden } from '../../../store/conversations/find-messages.ts';
import type { MessageDocument } from '../../../store/conversations/messages.ts';
import { serializeWithEtag } from '../../pipeline/response.ts';
import { assertNothingIgnored } from '../../pipeline/strict.ts';
import type { HandlerResult, Api, ApiRequest, FieldPath } from '../../request.ts';
import { collectIgnoredFields } from './messages.ts';

/** POST /messages: posts into one conversation (spec 6.3). */
export function createMessage(
  request: ApiRequest<Static<typeof addressedMessagesInput>>,
  api: Api,
): Promise<HandlerResult> {
  const inputs = [request.body].flat();
  const [first] = inputs;
  if (!first || inputs.some(({ conversation }) => conversation !== first.conversation)) {
    throw invalidRequest('conversation', 'must be the same in all messages of a request');
  }
  return postMessages(request, api, first.conversation);
}

export function createMessageIn(
  request: ApiRequest<Static<typeof messagesInput>>,
  api: Api,
): Promise<HandlerResult> {
  return postMessages(request, api, request.id);
}

async function postMessages(
  request: ApiRequest<Static<typeof messagesInput>>,
  api: Api,
  conversation: string,
): Promise<HandlerResult> {
  const { body, principal } = request;
  const context = { ...request, origin: 'message' as const, deps: api.posting };
  const { place, post, send } = await prepareMessages([body].flat(), conversation, context);
  const drafts = post.messages;
  if (request.isStrict) assertNoMistakes(body);
  if (principal.scope === 'guest') await assertExternalIdsVisible(drafts, place.id, principal);
  const { posted } = await send();
  const { publicUrl } = api.config;
  const messages = await presentPosted(posted, { drafts, place, publicUrl });
  const allRepeated = posted.every((one, at) => one.id !== drafts[at]?.id);
  const [message] = messages;
  const hints = [body].flat().map(commandHint);
  const answer = {
    status: allRepeated ? 200 : 201,
    ignored: collectIgnoredFields(body),
    hints: [
      ...new Set(hints.filter((hint) => hint !== undefined)),
      ...(await hintAtChanges({ posted, drafts })),
    ],
  };
  if (Array.isArray(body) || !message)
    return { ...answer, body: messages.map((one, at) => withHint(one, hints[at])) };
  const headers = { Location: `${publicUrl}/v2/messages/${message.id}` };
  if (hints[0] === undefined) return { ...answer, body: message, headers };
  // Send the ETag of GET /messages/{id}, whose body has no hint.
  return {
    ...answer,
    body: withHint(message, hints[0]),
    headers: { ...headers, ETag: serializeWithEtag(message).etag },
  };
}

const CHANGED_TEXT =
  'externalId: the conversation has a message with this externalId and another text, which is returned. The text of this request is not posted: post a new text with a new externalId, or change the message with PATCH.';

const CHANGED_TIME =
  'externalId: the message with this externalId waits for another time, which stays: move the message with PATCH of sendAt or delay.';

export async function hintAtChanges({
  posted,
  drafts,
}: Pick<SentPost, 'posted' | 'drafts'>): Promise<string[]> {
  const repeated = posted.flatMap(({ id, known }, at) => {
    const draft = drafts[at];
    return known && draft && draft.id !== id ? [{ id, draft }] : [];
  });
  if (repeated.length === 0) return [];
  const stored = await findMessages(repeated.map(({ id }) => id));
  const isAny = (differs: (one: MessageDocument, draft: MessageDraft) => boolean) =>
    stored.some((one) => repeated.some(({ id, draft }) => id === one._id && differs(one, draft)));
  const hasOtherTime = ({ sequence, delay, sendAt }: MessageDocument, draft: MessageDraft) =>
    sequence === undefined && (delay !== draft.delay || sendAt !== draft.sendAt);
  return [
    ...(isAny(({ text }, draft) => text !== draft.text) ? [CHANGED_TEXT] : []),
    ...(isAny(hasOtherTime) ? [CHANGED_TIME] : []),
  ];
}

/** Throws DomainError `invalid_request` for what a strict request must not contain (spec 2.2). */
export function assertNoMistakes(messages: MessageInput | MessageInput[], path: FieldPath = []): void {
  const ignored = collectIgnoredFields(messages, path);
  const hints = [messages].flat().flatMap((message, at) => {
    const hint = commandHint(message);
    const place = Array.isArray(messages) ? [...path, at, 'text'] : [...path, 'text'];
    return hint === undefined ? [] : [{ path: place.join('.'), message: strictHint(hint) }];
  });
  assertNothingIgnored({ ignored, hints });
}

function strictHint(hint: string): string {
  return hint.replace(
    'This command is unknown: the message is stored without effect.',
    'is not a known command.',
  );
}

function withHint<M extends { meta?: Meta }>(message: M, hint: string | undefined): M {
  return hint === undefined ? message : { ...message, meta: { ...message.meta, hint } };
}

/**
 * Throws DomainError `conflict` if an `externalId` belongs to a back-channel message, which guests
 * may not see (spec 10).
 */
async function assertExternalIdsVisible(
  drafts: MessageDraft[],
  conversation: string,
  { user }: Principal,
): Promise<void> {
  const ids = drafts.flatMap(({ externalId }) => externalId ?? []);
  if (ids.length === 0 || !(await isHidden(conversation, ids, user))) return;
  throw new DomainError('conflict', 'The conversation has another message with this externalId.');
}
