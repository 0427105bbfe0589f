import { receiptsUrl } from '../../../application/channels/inbound.ts';
import { renderText } from '../../../domain/channels/render-text.ts';
import type { RenderedMessage, TextPart } from '../../../domain/channels/render-text.ts';
import {
  MAX_SMS_CHARACTERS,
  MAX_SMS_MEDIA,
  judgeAnswer,
  parseStatus,
} from '../../../domain/channels/twilio.ts';
import type { Outcome, SendingNote } from '../../../domain/channels/outcome.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { storeDate, storeNow } from '../../../store/cluster/clock.ts';
import { describeFailure } from '../../http/exchange.ts';
import type { ChannelMessage, SendDeps, Sent } from '../contract.ts';
import { requestTwilio, toTwilioAnswer } from './request.ts';
import type { TwilioAccount, TwilioResponse } from './request.ts';

/** The request may still be under way at Twilio. */
const SETTLING_MS = 10_000;
/** Difference between our clock and Twilio's. */
const SKEW_MS = 120_000;
const LISTED = 50;

interface Sending {
  deps: SendDeps;
  account: TwilioAccount;
  message: ChannelMessage;
  id: string;
  parts: readonly TextPart[];
  signal: AbortSignal;
}

/** Looks a part up before it is sent again, because Twilio has no idempotency key (spec 15.9). */
export async function sendByTwilio(
  deps: SendDeps,
  message: ChannelMessage,
  signal: AbortSignal,
): Promise<Sent> {
  const { service, envelope, secrets, delivery, formerIds } = message;
  const content = envelope.data['message'] as RenderedMessage & { id: string };
  const parts = renderText(content, {
    characters: MAX_SMS_CHARACTERS,
    media: MAX_SMS_MEDIA,
    takesMedia: service.takesMedia === true,
  });
  if (parts.length === 0) {
    const outcome: Outcome = {
      is: 'refused',
      code: 'empty',
      reason: 'The message has nothing that an SMS can carry.',
    };
    return { outcome, log: { durationMs: 0, outcome: 'refused' } };
  }
  const account = { params: service.params, secret: secrets[0] ?? '' };
  const note: SendingNote = { part: 0, externalIds: [], formerIds, ...delivery.sending };
  return sendParts({ deps, account, message, id: content.id, parts, signal }, note);
}

async function sendParts(sending: Sending, open: SendingNote): Promise<Sent> {
  const { deps, parts } = sending;
  const { formerIds = [] } = open;
  let note = open;
  let last: Sent['log'] = { durationMs: 0, outcome: 'delivered' };
  while (note.part < parts.length) {
    const looked = note.at ? await findPart(sending, note) : null;
    if (looked && 'outcome' in looked) return looked;
    let externalId = looked?.externalId;
    if (externalId === undefined) {
      note = { ...note, at: storeDate() };
      await deps.noteSending(note);
      const sent = await postPart(sending, note.part);
      const { outcome } = sent;
      last = sent.log;
      if (outcome.is !== 'sent') {
        return { ...sent, note: afterFailure(note, sent), externalIds: note.externalIds };
      }
      externalId = outcome.externalId;
    }
    note = { part: note.part + 1, externalIds: [...note.externalIds, externalId ?? ''], formerIds };
  }
  const { externalIds } = note;
  return { outcome: { is: 'sent', externalId: externalIds.at(-1) }, log: last, note: null, externalIds };
}

function afterFailure(
  { part, externalIds, at, formerIds = [] }: SendingNote,
  { outcome, log }: Sent,
): SendingNote | null {
  const kept = { part, externalIds, formerIds };
  if (outcome.is === 'uncertain') {
    return { ...kept, at, ...(log.status === undefined ? {} : { hasEnded: true }) };
  }
  return part > 0 && outcome.is !== 'refused' ? kept : null;
}

type Field = [string, string];

async function postPart({ deps, account, message, id, parts, signal }: Sending, part: number): Promise<Sent> {
  const { text, media } = parts[part] ?? { text: '', media: [] };
  const { number, messagingServiceSid } = account.params;
  const callback = `${receiptsUrl(deps.publicUrl, { service: message.service._id, message: id })}?part=${part + 1}&of=${parts.length}`;
  const response = await requestTwilio(deps.webhooks, account, {
    path: '/Messages.json',
    form: [
      ['To', message.recipient.id],
      messagingServiceSid === undefined
        ? ['From', number ?? '']
        : ['MessagingServiceSid', messagingServiceSid],
      ...(text === '' ? [] : [['Body', text] satisfies Field]),
      ...media.map((url): Field => ['MediaUrl', url]),
      ['StatusCallback', callback],
    ],
    signal,
  });
  return { outcome: toOutcome(response), log: toLog(response) };
}

function toOutcome(response: TwilioResponse): Outcome {
  const answer = toTwilioAnswer(response);
  if (response.end.outcome === 'private_address') return { is: 'retry', reason: answer.message ?? '' };
  return judgeAnswer(answer);
}

function toLog({ end, log: response }: TwilioResponse): Sent['log'] {
  const { outcome, durationMs, status, requests } = end;
  const reason = describeFailure(end);
  return {
    durationMs,
    outcome,
    ...definedFields({ status, response: response || undefined, reason, requests }),
  };
}

interface ListedMessage {
  sid?: unknown;
  body?: unknown;
  direction?: unknown;
  num_media?: unknown;
  date_created?: unknown;
  status?: unknown;
}

/** Returns no id if Twilio has not taken the part. */
async function findPart(
  { deps, account, message, parts, signal }: Sending,
  note: SendingNote,
): Promise<Sent | { externalId?: string }> {
  const since = note.at?.getTime() ?? 0;
  const waitMs = note.hasEnded ? 0 : since + SETTLING_MS - storeNow();
  if (waitMs > 0) {
    const reason = 'It is not known yet whether the message was sent.';
    const log = { durationMs: 0, outcome: 'throttled' } as const;
    return { outcome: { is: 'throttled', afterMs: waitMs, reason }, log, note };
  }
  const query = { To: message.recipient.id, PageSize: String(LISTED) };
  const response = await requestTwilio(deps.webhooks, account, { path: '/Messages.json', query, signal });
  const { messages } = response.body;
  if (response.end.status !== 200 || !Array.isArray(messages)) {
    const outcome = toOutcome(response);
    return { outcome: outcome.is === 'sent' ? UNREADABLE : outcome, log: toLog(response), note };
  }
  const { text, media } = parts[note.part] ?? { text: '', media: [] };
  const alike = (messages as ListedMessage[]).filter(
    ({ body, direction, num_media: count, date_created: created, status }) =>
      toComparable(body) === toComparable(text) &&
      direction !== 'inbound' &&
      Number(count ?? 0) === media.length &&
      Date.parse(String(created)) >= since - SKEW_MS &&
      // A message is sent again because it failed.
      !(message.delivery.resent && hasFailed(status)),
  );
  const own = [...note.externalIds, ...(note.formerIds ?? [])];
  const ids = alike.flatMap(({ sid }) => (typeof sid === 'string' && !own.includes(sid) ? sid : []));
  const known = await deps.findKnownIds(ids);
  // Equal messages that follow have not been sent yet.
  const externalId = ids.filter((sid) => !known.has(sid)).at(-1);
  return externalId === undefined ? {} : { externalId };
}

function hasFailed(status: unknown): boolean {
  return typeof status === 'string' && parseStatus(status, '')?.status === 'failed';
}

const TRIAL = /^Sent from your Twilio trial account - /;

/** Twilio may replace characters by similar characters, and trial accounts add a text. */
function toComparable(body: unknown): string {
  const text = typeof body === 'string' ? body.replace(TRIAL, '') : '';
  return text.normalize('NFKD').replace(/[^\p{L}\p{N}\p{So}]/gu, '');
}

const UNREADABLE: Outcome = { is: 'retry', reason: 'The list of messages could not be read.' };
