import type { Static } from 'typebox';
import Type from 'typebox';
import { MAX_TEXT } from '../../domain/messages/message.ts';
import { DomainError } from '../../domain/errors.ts';
import { viewerExternalId, viewerMessage } from '../../domain/messages/chat-page-message.ts';
import { prepareMessages } from '../../application/posting/draft-messages.ts';
import { presentPosted } from '../../application/presenters/presenters.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { oneOf, text } from '../../schema/kinds.ts';
import { beginChat } from './begin.ts';
import type { ChatInput, PostedChat } from './begin.ts';
import { buildContactPrincipal, resolveChatKey } from './chat-target.ts';
import { createAllowances } from '../../domain/limits/allowances.ts';

export const viewerInput = Type.Object({
  /** A repeated key returns the first message. */
  key: text({ max: 64 }),
  text: text({ max: MAX_TEXT }),
  type: Type.Optional(oneOf(['chat', 'postback'])),
  label: Type.Optional(text({ max: 1_000 })),
});

type ChatPostRequest = OpenRequest<Static<typeof viewerInput>>;

const MAX_TAKEN_KEYS = 5;

/**
 * POST /c/{slug}/messages: responds 200 for a repeated `key`. If {slug} is a key of `startChat`,
 * `begun` in the response is the slug that replaces it (spec 13.3).
 */
export async function postAsContact(request: ChatPostRequest, api: Api): Promise<HandlerResult> {
  countStoredBytes(request, api);
  for (let taken = 0; taken < MAX_TAKEN_KEYS; taken += 1) {
    const said = await postChat(request, api, taken);
    const [message] = await presentPosted(said.posted, { ...said, publicUrl: api.config.publicUrl });
    // If the key belongs to another author's message, hide that message and try the next key.
    const own = message?.role === 'contact' ? viewerMessage(message) : null;
    if (own) {
      const begun = said.isStarted ? { begun: said.place.slug } : {};
      return { status: own.id === said.drafts[0]?.id ? 201 : 200, body: { ...own, ...begun } };
    }
  }
  throw new DomainError('conflict', 'This key is taken. Please use another one.');
}

type ChatPostResult = PostedChat & { isStarted: boolean };

async function postChat(request: ChatPostRequest, api: Api, taken: number): Promise<ChatPostResult> {
  const found = await resolveChatKey(request, api);
  const input = toChatInput(request.body, taken);
  if (found.kind === 'started') {
    return { ...(await beginChat(found.started, input, { request, api })), isStarted: true };
  }
  const { ref: place, started } = found;
  const { contact = place.id } = place;
  const { send } = await prepareMessages([input], place.id, {
    ...request,
    principal: buildContactPrincipal({ ...place, contact }),
    origin: 'message',
    deps: api.posting,
  });
  return { ...(await send()), place, isStarted: started !== undefined };
}

function toChatInput(
  { key, text, type = 'chat', label }: Static<typeof viewerInput>,
  taken: number,
): ChatInput {
  return {
    text,
    type,
    role: 'contact',
    touchpoint: 'web',
    externalId: viewerExternalId(key, taken),
    ...(type === 'postback' && label !== undefined ? { meta: { label } } : {}),
  };
}

/**
 * Maximum number of characters per client address and process. An hour restores half (spec 10.3).
 */
const MAX_STORED = 32 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Characters charged per message besides its text. */
const PER_MESSAGE = 1_000;

const allowances = createAllowances({ max: MAX_STORED, backPerMs: MAX_STORED / 2 / HOUR_MS });

/** Throws DomainError `rate_limited` while the address has no characters left. */
export function countStoredBytes(
  { client, body }: Pick<OpenRequest<{ text: string; label?: string }>, 'client' | 'body'>,
  { config }: { config: Pick<Api['config'], 'rateLimitPerSecond'> },
  now = performance.now(),
): void {
  if (config.rateLimitPerSecond === 0) return;
  const line = [client.address];
  const waitMs = allowances.waitMs(line, now);
  if (waitMs > 0) {
    throw new DomainError('rate_limited', 'Too much was posted from this address lately.', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    });
  }
  allowances.use(line, PER_MESSAGE + body.text.length + (body.label?.length ?? 0), now);
}
