import { BARS } from '../../domain/channels/channel-type.ts';
import { boundThrottle } from '../../domain/channels/outcome.ts';
import type { Outcome } from '../../domain/channels/outcome.ts';
import { parseOrNull } from '../../domain/json.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { decodeAnswer, readAnswer } from '../http/answer.ts';
import { blankTokens } from '../http/blank-tokens.ts';
import type { WebhookClient } from '../http/client.ts';
import { describeFailure } from '../http/exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ChannelMessage, Sent } from './contract.ts';

const MAX_EXTERNAL_ID = 200;

/** Sends a message to the adapter of a service of type `api`, as a signed webhook (spec 15.5). */
export async function sendToAdapter(
  webhooks: WebhookClient,
  { delivery, service, envelope, recipient, secrets }: ChannelMessage,
  signal: AbortSignal,
): Promise<Sent> {
  const end = await webhooks.sendWebhook({
    url: service.params.url ?? '',
    id: delivery.eventId,
    body: JSON.stringify({ ...envelope, data: { ...envelope.data, recipient } }),
    secrets,
    trace: delivery.trace,
    signal,
  });
  const answer = end.answer ?? { bytes: Buffer.alloc(0) };
  const [{ text }, { text: logged }] = await Promise.all([decodeAnswer(answer), readAnswer(answer, secrets)]);
  const { outcome, durationMs, status, requests } = end;
  const reason = describeFailure(end);
  const log = {
    durationMs,
    outcome,
    ...definedFields({ status, response: logged || undefined, reason, requests }),
  };
  return { outcome: toOutcome(end, text), log };
}

interface AdapterAnswer {
  externalId?: unknown;
  error?: { code?: unknown; message?: unknown };
}

function toOutcome(end: Exchange, text: string): Outcome {
  const { status, retryAfterSeconds } = end;
  const answer = (parseOrNull(text) ?? {}) as AdapterAnswer;
  if (end.outcome === 'delivered') {
    const { externalId } = answer;
    const isGiven = typeof externalId === 'string' && externalId !== '';
    return { is: 'sent', ...(isGiven ? { externalId: externalId.slice(0, MAX_EXTERNAL_ID) } : {}) };
  }
  if (status === 422) return toRefusal(answer);
  if (status === 429) {
    const asked = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
    return { is: 'throttled', afterMs: boundThrottle(asked), reason: 'The adapter responded with 429.' };
  }
  if (status === 401 || status === 403) {
    return { is: 'broken', reason: `The adapter responded with ${status}: check the secret of the service.` };
  }
  return {
    is: 'retry',
    reason: describeFailure(end) ?? `The adapter responded with ${status ?? end.outcome}.`,
  };
}

function toRefusal({ error }: AdapterAnswer): Outcome {
  const code = typeof error?.code === 'string' && error.code !== '' ? error.code : 'refused';
  const reason =
    typeof error?.message === 'string' ? blankTokens(error.message) : 'The adapter refused the message.';
  const bar = BARS.find((one) => one === code);
  return { is: 'refused', code, reason, ...definedFields({ bar }) };
}
