import type { Static } from 'typebox';
import Type from 'typebox';
import { MAX_TEXT } from '../../domain/messages/message.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { parseFileUrl } from '../../domain/files/file.ts';
import { viewerExternalId, viewerMessage } from '../../domain/messages/chat-page-message.ts';
import { assertContactNotBlocked } from '../../application/posting/blocked.ts';
import { prepareMessages } from '../../application/posting/draft-messages.ts';
import { presentPosted } from '../../application/presenters/presenters.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { oneOf, shownText, text } from '../../schema/kinds.ts';
import { beginChat } from './begin.ts';
import type { ChatInput, PostedChat } from './begin.ts';
import { receiveFile } from '../files/upload.ts';
import { loadContactPath } from '../listing/line.ts';
import { buildContactPrincipal, deriveChatIds, getChatOrganization, resolveChatKey } from './chat-target.ts';
import type { ChatTarget } from './chat-target.ts';
import { createAllowances } from '../../domain/limits/allowances.ts';

const MAX_FILES = 10;

export const viewerInput = Type.Object({
  /** A repeated key returns the first message. */
  key: text({ max: 64 }),
  text: Type.Optional(text({ max: MAX_TEXT })),
  type: Type.Optional(oneOf(['chat', 'postback'])),
  label: Type.Optional(shownText({ max: 1_000 })),
  /** Addresses of uploaded files, each of which becomes a message behind the text (spec 10.10). */
  files: Type.Optional(Type.Array(text({ max: 2_000 }), { maxItems: MAX_FILES })),
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
  const inputs = toChatInputs(request.body, { taken, publicUrl: api.config.publicUrl });
  if (found.kind === 'started') {
    return { ...(await beginChat(found.started, inputs, { request, api })), isStarted: true };
  }
  const { ref: place, started } = found;
  const { contact = place.id } = place;
  const { send } = await prepareMessages(inputs, place.id, {
    ...request,
    principal: buildContactPrincipal({ ...place, contact }),
    origin: 'message',
    deps: api.posting,
    ...(started && { pendingFiles: deriveChatIds(started).conversation }),
  });
  return { ...(await send()), place, isStarted: started !== undefined };
}

/** Returns the message of the text, then a message per file. */
function toChatInputs(
  { key, text, type = 'chat', label, files = [] }: Static<typeof viewerInput>,
  { taken, publicUrl }: { taken: number; publicUrl: string },
): ChatInput[] {
  files.forEach((url, at) => {
    if (parseFileUrl(url, publicUrl) === undefined) {
      throw invalidRequest(`files.${at}`, 'must be the address of an uploaded file');
    }
  });
  const shared = { role: 'contact', touchpoint: 'web' } as const;
  const meta = type === 'postback' && label !== undefined ? { meta: { label } } : {};
  const inputs: ChatInput[] = [
    ...(text === undefined ? [] : [{ ...shared, ...meta, text, type }]),
    ...files.map((url) => ({ ...shared, text: url, type: 'chat' as const })),
  ];
  if (inputs.length === 0) throw invalidRequest('text', 'is required without files');
  return inputs.map((input, at) => ({
    ...input,
    externalId: viewerExternalId(at === 0 ? key : `${key}/${at}`, taken),
  }));
}

/**
 * Maximum number of characters per client address and process. An hour restores half (spec 10.3).
 */
const MAX_STORED = 32 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Characters charged per message besides its text. */
const PER_MESSAGE = 1_000;

const allowances = createAllowances({ max: MAX_STORED, backPerMs: MAX_STORED / 2 / HOUR_MS });

/**
 * Throws DomainError `rate_limited` while the address has too few characters left for the chat key.
 */
export function countStoredBytes(
  {
    client,
    params,
    body,
  }: Pick<OpenRequest<{ text?: string; label?: string }>, 'client' | 'params' | 'body'>,
  { config }: { config: Pick<Api['config'], 'rateLimits'> },
  now = performance.now(),
): void {
  if (config.rateLimits.perAddress === 0) return;
  const amount = PER_MESSAGE + (body.text?.length ?? 0) + (body.label?.length ?? 0);
  const branch = [`address ${client.address}`, params['slug'] ?? ''] as const;
  const waitMs = allowances.fairWaitMs(branch, amount, now);
  if (waitMs > 0) {
    throw new DomainError('rate_limited', 'Too much was posted from this address lately.', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    });
  }
  allowances.use(branch, amount, now);
}

/** POST /c/{slug}/files (spec 10.10) */
export async function uploadAsContact(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const target = await resolveChatKey(request, api);
  const { address } = request.client;
  const conversation = fileConversation(target);
  const organization = getChatOrganization(target);
  return receiveFile(request, api, {
    limitedAddress: address,
    name: new URLSearchParams(request.querystring).get('name') ?? '',
    async findOwner() {
      await assertContactNotBlocked(contactOf(target), {
        principal: buildContactPrincipal({ organization, contact: contactOf(target) }),
      });
      const path = await loadContactPath({ id: conversation, organization, slug: '' }, address);
      return { conversation, organization, createdBy: contactOf(target), path };
    },
  });
}

/** Until the first message, files belong to an id that the chat key determines. */
function fileConversation(target: ChatTarget): string {
  return target.kind === 'stored' ? target.ref.id : deriveChatIds(target.started).conversation;
}

function contactOf(target: ChatTarget): string {
  if (target.kind === 'started') return deriveChatIds(target.started).contact;
  return target.ref.contact ?? target.ref.id;
}
