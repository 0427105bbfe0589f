import { markAddress } from '../application/channels/mark-identity.ts';
import { reportReceipt } from '../application/channels/report-receipt.ts';
import type { ReceiptDeps } from '../application/channels/report-receipt.ts';
import { listSecrets } from '../application/channels/secrets.ts';
import type { Encryption } from '../application/posting/encryption.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import { findRefusal } from '../domain/channels/carrier.ts';
import { channelFacts } from '../domain/channels/identity.ts';
import type { Outcome, SendingNote } from '../domain/channels/outcome.ts';
import { boundedError } from '../domain/channels/receipt.ts';
import type { Receipt } from '../domain/channels/receipt.ts';
import { isGone, isSendable } from '../domain/delivery/delivery.ts';
import type { AttemptOutcome, DeliveryRow } from '../domain/delivery/delivery.ts';
import { nextWaitMs } from '../domain/delivery/retry-ladder.ts';
import type { Envelope } from '../domain/events/envelope.ts';
import { definedFields } from '../domain/record-fields.ts';
import { storeDate, storeNow } from '../store/cluster/clock.ts';
import { findContactById } from '../store/conversations/contacts.ts';
import {
  findCarried,
  findKnownIds,
  listSentIds,
  noteSentIds,
  requeueMessage,
} from '../store/conversations/receipts.ts';
import type { CarriedMessage } from '../store/conversations/receipts.ts';
import { noteSending } from '../store/delivery/attempts.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { FileContents } from '../store/files/contents.ts';
import type { Attempted } from './attempt.ts';
import { sendToAdapter } from './channels/api.ts';
import type { ChannelMessage, Sent } from './channels/contract.ts';
import { openSecret } from './channels/open-secret.ts';
import { findProvider } from './channels/providers.ts';
import { UNREADABLE } from './channels/verify.ts';
import type { WebhookClient } from './http/client.ts';

export interface CarryDeps extends ReceiptDeps {
  posting: PostingDeps;
  webhooks: WebhookClient;
  webhookRetrySeconds: readonly number[];
  secrets: Encryption;
  mailDomain: string | undefined;
  files: FileContents;
  notifyDeliveries: (rows: readonly DeliveryRow[]) => void;
}

/** A message that waited for longer is not sent any more (spec 15.5). */
const MAX_AGE_MS = 24 * 3600 * 1000;

/**
 * Makes one attempt to send a message through its channel service, and stores what became of the
 * message. Rejects only when `signal` aborts it, or the store fails.
 */
export async function carryMessage(
  deps: CarryDeps,
  { delivery, service }: { delivery: QueuedDelivery; service: ServiceDocument },
  signal: AbortSignal,
): Promise<Attempted> {
  const at = storeDate();
  const envelope = JSON.parse(delivery.body) as Envelope;
  const { id } = envelope.data['message'] as { id: string };
  if (delivery.resent) await requeueMessage(id, service._id, at.toISOString());
  const message = await findCarried(id, service._id);
  if (!message) {
    const { formerIds = [], externalIds = [] } = delivery.sending ?? {};
    if (externalIds.length > 0) await noteSentIds(id, [...formerIds, ...externalIds]);
    return toAttempted(deps, delivery, { at, sent: refuse('deleted', 'The message was deleted.') });
  }
  const known = delivery.resent ? null : readProof(service, message, delivery.sending);
  const prepared = known ?? (await prepare(deps, { delivery, service, envelope, message }));
  const sent = 'outcome' in prepared ? prepared : await send(deps, prepared, signal);
  const attempted = toAttempted(deps, delivery, { at, sent });
  await reportOutcome(deps, { message, service, sent, isLast: attempted.next === null });
  return attempted;
}

async function send(deps: CarryDeps, message: ChannelMessage, signal: AbortSignal): Promise<Sent> {
  const { webhooks, publicUrl, files, mailDomain, secrets } = deps;
  const { delivery, service, envelope } = message;
  const provider = findProvider(service.type);
  if (!provider) return sendToAdapter(webhooks, message, signal);
  const { id } = envelope.data['message'] as { id: string };
  const conversation = delivery.conversation ?? '';
  const sent = await provider.send(
    {
      webhooks,
      publicUrl,
      mailDomain,
      sign: secrets.sign,
      files,
      openSecret: (name) => openSecret(secrets, service, name),
      noteSending: (note) => noteSending(delivery._id, note),
      findKnownIds: (externalIds) => findKnownIds({ conversation, except: id, externalIds }),
    },
    message,
    signal,
  );
  // 410 of a provider, or of a proxy before it, ends no channel.
  return isGone(sent.log) ? { ...sent, log: { ...sent.log, outcome: 'unreachable' } } : sent;
}

/** Uses a receipt that came before the response. */
function readProof(
  { type }: ServiceDocument,
  { delivery: { status, externalId, error } }: CarriedMessage,
  { externalIds = [] }: Partial<SendingNote> = {},
): Sent | null {
  if (!findProvider(type) || status === 'queued') return null;
  const known = { note: null, externalIds };
  if (status === 'failed') return { ...refuse(error?.code ?? status, error?.message ?? ''), ...known };
  return {
    ...{ outcome: { is: 'sent', externalId }, log: { durationMs: 0, outcome: 'delivered' } },
    ...known,
  };
}

/** Returns the refusal of a message that is not sent to the provider at all. */
async function prepare(
  { secrets }: CarryDeps,
  {
    message,
    ...carried
  }: Pick<ChannelMessage, 'delivery' | 'service' | 'envelope'> & { message: CarriedMessage },
): Promise<ChannelMessage | Sent> {
  const { delivery, service } = carried;
  const { contact } = message;
  const age = storeNow() - delivery.createdAt.getTime();
  if (!delivery.resent && age > MAX_AGE_MS)
    return refuse('expired', 'The message waited for longer than a day.');
  const { _id: id, type, touchpoint = '' } = service;
  const person = contact === undefined ? null : await findContactById(contact);
  const facts = channelFacts({ id, type, touchpoint }, person);
  const refusal = findRefusal(facts);
  if (refusal) return refuse(refusal.code, refusal.message);
  const keys = listSecrets(service, { decrypt: secrets.decrypt, now: storeDate() });
  if (keys.length === 0) return breakService(UNREADABLE);
  const recipient = { id: facts.address ?? '', touchpoint };
  return { ...carried, recipient, secrets: keys, formerIds: delivery.resent ? listSentIds(message) : [] };
}

function refuse(code: string, reason: string): Sent {
  return { outcome: { is: 'refused', code, reason }, log: { durationMs: 0, outcome: 'refused' } };
}

function breakService(reason: string): Sent {
  return { outcome: { is: 'broken', reason }, log: { durationMs: 0, outcome: 'broken' } };
}

/** Outcomes in the log that replace the outcome of the exchange. */
const LOGGED: Partial<Record<Outcome['is'], AttemptOutcome>> = {
  sent: 'delivered',
  refused: 'refused',
  throttled: 'throttled',
  broken: 'broken',
};

function toAttempted(
  { webhookRetrySeconds }: Pick<CarryDeps, 'webhookRetrySeconds'>,
  { tries }: QueuedDelivery,
  { at, sent: { outcome, log, note } }: { at: Date; sent: Sent },
): Attempted {
  const code = outcome.is === 'refused' ? `${outcome.code}: ` : '';
  const reason = 'reason' in outcome ? `${code}${outcome.reason}` : undefined;
  const attempt = {
    at: at.toISOString(),
    ...log,
    outcome: LOGGED[outcome.is] ?? log.outcome,
    ...definedFields({ reason }),
  };
  const next = (ms: number) => new Date(storeNow() + ms);
  switch (outcome.is) {
    case 'sent':
    case 'refused':
      return { attempt, next: null, note };
    case 'throttled':
      return { attempt, next: next(outcome.afterMs), keepsStep: true, note };
    case 'broken':
      return { attempt, next: next(0), keepsStep: true, note };
    case 'retry':
    case 'uncertain': {
      const waitMs = nextWaitMs(webhookRetrySeconds, { attempts: tries + 1 }, Math.random());
      return { attempt, next: waitMs === null ? null : next(waitMs), note };
    }
  }
}

async function reportOutcome(
  deps: CarryDeps,
  {
    message,
    service,
    sent: { outcome, externalIds },
    isLast,
  }: { message: CarriedMessage; service: ServiceDocument; sent: Sent; isLast: boolean },
): Promise<void> {
  const receipt = isLast ? toReceipt(outcome) : null;
  if (!receipt) return;
  const { _id, contact } = message;
  const sentIds = externalIds && [...new Set([...listSentIds(message), ...externalIds])];
  if (outcome.is === 'refused' && outcome.bar && contact !== undefined) {
    await markAddress(service, contact, outcome.bar);
  }
  const { result, rows } = await reportReceipt(deps, {
    ...{ message: _id, service: service._id, receipt },
    known: { ...message, ...definedFields({ sentIds }) },
  });
  if (result !== 'raised' && sentIds) await noteSentIds(_id, sentIds);
  deps.notifyDeliveries(rows.filter(isSendable));
}

const GIVEN_UP: Partial<Record<Outcome['is'], string>> = { uncertain: 'uncertain' };

function toReceipt(outcome: Outcome): Receipt {
  const at = storeDate().toISOString();
  if (outcome.is === 'sent') return { status: 'sent', at, externalId: outcome.externalId };
  const code = outcome.is === 'refused' ? outcome.code : (GIVEN_UP[outcome.is] ?? 'given_up');
  const error = boundedError({ code, message: outcome.reason });
  return { status: 'failed', at, error };
}
