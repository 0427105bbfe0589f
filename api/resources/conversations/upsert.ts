import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../domain/errors.ts';
import { prepareUpsert } from '../../../application/posting/prepare-upsert.ts';
import type { Upserted, UpsertInput } from '../../../application/posting/prepare-upsert.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { collectIgnoredFields } from '../messages/ignored.ts';
import { loadStoredView } from './stored.ts';

const MAX_TRIES = 10;
const WAIT_MS = 200;
const NO_TYPE =
  'type: absent, so the new conversation is of type bot and its messages match no pattern message.create.contact; for a conversation with a contact send "type": "contact".';

/**
 * POST /conversations with a contact as an object: 201 when the conversation was made, else 200
 * (spec 5.7).
 */
export async function upsertConversation(request: ApiRequest<UpsertInput>, api: Api): Promise<HandlerResult> {
  const { conversation: id, created, posted } = await upsertWithRetries(request, api);
  const { messages = [], status, type } = request.body;
  // They count only where the conversation is made.
  const idle = created ? [] : Object.entries({ status, type }).filter(([, value]) => value !== undefined);
  return {
    status: created ? 201 : 200,
    body: await loadStoredView({ id, posted }, request, api),
    headers: { Location: `${api.config.publicUrl}/v2/conversations/${id}` },
    hints: created && type === undefined ? [NO_TYPE] : [],
    ignored: [...idle.map(([field]) => [field]), ...collectIgnoredFields(messages, ['messages'])],
  };
}

// A conversation that is just being deleted takes its contact with it: a moment later both are made
// anew.
async function upsertWithRetries(
  request: ApiRequest<UpsertInput>,
  { posting: deps }: Api,
): Promise<Upserted> {
  for (let tries = 1; ; tries++) {
    const { upsert } = await prepareUpsert(request.body, { request, deps, origin: 'upsert' });
    try {
      return await upsert();
    } catch (error) {
      if (!isNotFound(error) || tries === MAX_TRIES) throw error;
    }
    await sleep(WAIT_MS);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'not_found';
}
