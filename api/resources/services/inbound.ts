import Type from 'typebox';
import type { Static } from 'typebox';
import { inboundRow } from '../../../application/channels/inbound.ts';
import type { InboundEntry } from '../../../application/channels/inbound.ts';
import { markAddress } from '../../../application/channels/mark-identity.ts';
import { reportReceipt } from '../../../application/channels/report-receipt.ts';
import { BARS } from '../../../domain/channels/channel-type.ts';
import { RECEIPT_STATUSES, boundedError } from '../../../domain/channels/receipt.ts';
import type { Receipt } from '../../../domain/channels/receipt.ts';
import { invalidRequest, notFound, unprocessable, withinPath } from '../../../domain/errors.ts';
import { MAX_PROFILE_CHARACTERS } from '../../../domain/contact-profile.ts';
import { assertValidMeta, jsonBytes } from '../../../domain/free-form.ts';
import { CONTENT_TYPES, MAX_MESSAGES } from '../../../domain/messages/message.ts';
import { parseTime } from '../../../domain/query/values.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import {
  EXAMPLE_IDS,
  Meta,
  TimeInput,
  about,
  object,
  oneOf,
  referenceTo,
  text,
} from '../../../schema/kinds.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { findCarried } from '../../../store/conversations/receipts.ts';
import { insertDeliveries } from '../../../store/delivery/deliveries.ts';
import { findService } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';

const MAX_ENTRIES = 100;
/** Channels that receive by adapters. */
const ADAPTED_TYPES = ['api', 'email'];
/** Leaves room for the number of a message in its external id of 200 bytes. */
const MAX_ID_BYTES = 190;

const Sender = object('InboundSender', 'The sender of the entry.', {
  id: about(text({ max: 200 }), "The provider's id of the person.", '+31612345678'),
  name: Type.Optional(about(text({ max: MAX_PROFILE_CHARACTERS.name }), 'The name.', 'Ada')),
  telephone: Type.Optional(
    about(text({ max: MAX_PROFILE_CHARACTERS.telephone }), 'The telephone number.', '+31612345678'),
  ),
  email: Type.Optional(
    about(text({ max: MAX_PROFILE_CHARACTERS.email }), 'The email address.', 'ada@example.com'),
  ),
  optedOut: Type.Optional(
    about(Type.Boolean(), 'Whether the person opts out with this entry (STOP), or in again (START).', true),
  ),
});

const InboundMessage = object('InboundMessage', 'A message of the contact.', {
  text: about(Type.String(), 'The text, or an address for other values of `contentType`.', 'Hello'),
  type: Type.Optional(about(oneOf(['chat', 'postback']), 'The type of the message. Default chat.')),
  contentType: Type.Optional(about(oneOf(CONTENT_TYPES), 'The media type of `text`.', 'text/plain')),
  meta: Type.Optional(Meta),
});

/** See spec 15.6. */
export const Entry = object('InboundEntry', 'The messages that one person sent at once.', {
  id: about(
    text({ max: MAX_ID_BYTES }),
    "The provider's id. A second entry of the service with the same id is posted once.",
    'SM1f0c',
  ),
  at: Type.Optional(about(TimeInput, 'The time of sending.', '2026-03-14T09:26:53.589Z')),
  from: Sender,
  messages: about(
    Type.Array(InboundMessage, { minItems: 1, maxItems: MAX_MESSAGES }),
    'The messages, in order.',
  ),
});

export const inboundInput = object('InboundInput', 'Entries that the provider of a channel received.', {
  entries: about(
    Type.Array(Entry, { minItems: 1, maxItems: MAX_ENTRIES }),
    'The entries. Entries of one person are posted in this order.',
    [{ id: 'SM1f0c', from: { id: '+31612345678', name: 'Ada' }, messages: [{ text: 'Hello' }] }],
  ),
});

export const inboundSchema = object('InboundAccepted', 'The accepted entries.', {
  accepted: about(Type.Integer(), 'The number of stored entries. They are posted within moments.', 1),
});

const ReceiptInput = object('ReceiptInput', 'A receipt of a message that the service carries.', {
  message: referenceTo('messages', 'The message.'),
  status: about(
    oneOf(RECEIPT_STATUSES),
    'The status of the message. A status that is not higher changes nothing.',
    'delivered',
  ),
  at: Type.Optional(about(TimeInput, 'The time of the status. Default now.', '2026-03-14T09:26:53.589Z')),
  externalId: Type.Optional(about(text({ max: 200 }), "The provider's id of the message.", 'SM1f0c')),
  error: Type.Optional(
    object('ReceiptErrorInput', 'The reason why the delivery failed.', {
      code: about(
        text({ max: 100 }),
        "The provider's code. `opted_out` and `unreachable` also mark the contact's address.",
        'unreachable',
      ),
      message: Type.Optional(
        about(text({ max: 1_000 }), 'The reason in words.', 'The number is not in use.'),
      ),
    }),
  ),
});

export const receiptsInput = object('ReceiptsInput', 'Receipts of messages that the service carries.', {
  receipts: about(
    Type.Array(ReceiptInput, { minItems: 1, maxItems: MAX_ENTRIES }),
    'The receipts, in any order.',
    [{ message: EXAMPLE_IDS.messages, status: 'delivered' }],
  ),
});

export const receiptsSchema = object('ReceiptsAccepted', 'The accepted receipts.', {
  accepted: about(Type.Integer(), 'The number of receipts of messages that the service carries.', 1),
  unknown: about(Type.Integer(), 'The number of other receipts, which are not stored.', 0),
});

/** POST /services/{id}/inbound (spec 15.6): stores the entries before it responds. */
export async function receiveInbound(
  request: ApiRequest<Static<typeof inboundInput>>,
  { config }: Api,
): Promise<HandlerResult> {
  const { principal, body, receivedAt } = request;
  const service = await findOpenChannel(request);
  const { user, organization, role } = principal;
  const by = { user, organization, role };
  const first = storeNow() * 1_000;
  const rows = body.entries.map((entry, at) =>
    withinPath(`entries.${at}`, () =>
      inboundRow(
        { entry: parseEntry(entry), by },
        { id: service._id, organization: service.organization },
        { sequence: first + at, now: receivedAt, shards: config.deliveryShards },
      ),
    ),
  );
  await insertDeliveries([...new Map(rows.map((row) => [row._id, row])).values()]);
  return { status: 202, body: { accepted: rows.length } };
}

function parseEntry(entry: Static<typeof Entry>): InboundEntry {
  const { id, at, messages } = entry;
  if (jsonBytes(id) > MAX_ID_BYTES + 2) throw invalidRequest('id', `must have at most ${MAX_ID_BYTES} bytes`);
  messages.forEach(({ meta }, index) => {
    if (meta) withinPath(`messages.${index}`, () => assertValidMeta(meta));
  });
  return { ...entry, ...(at === undefined ? {} : { at: parseTime(at, 'at').toISOString() }) };
}

/** POST /services/{id}/receipts (spec 15.4). */
export async function receiveReceipts(
  request: ApiRequest<Static<typeof receiptsInput>>,
  { config: { publicUrl, deliveryShards }, posting }: Api,
): Promise<HandlerResult> {
  const service = await findOpenChannel(request);
  const receipts = request.body.receipts.map((given, at) =>
    withinPath(`receipts.${at}`, () => parseReceipt(given, request.receivedAt)),
  );
  let unknown = 0;
  for (const { message, receipt } of receipts) {
    const deps = { publicUrl, deliveryShards, posting };
    const { result } = await reportReceipt(deps, { message, service: service._id, receipt });
    if (result === 'unknown') unknown += 1;
    else await markBarred(service, message, receipt);
  }
  return { status: 202, body: { accepted: receipts.length - unknown, unknown } };
}

function parseReceipt(
  { message, status, at, externalId, error }: Static<typeof ReceiptInput>,
  receivedAt: string,
): { message: string; receipt: Receipt } {
  if (error && status !== 'failed') throw unprocessable('is only allowed with status failed', 'error');
  const failure = status === 'failed' ? { message: '', code: 'failed', ...error } : undefined;
  const time = at === undefined ? receivedAt : parseTime(at, 'at').toISOString();
  const rest = definedFields({ externalId, error: failure && boundedError(failure) });
  return { message, receipt: { status, at: time, ...rest } };
}

async function markBarred(service: ServiceDocument, message: string, { error }: Receipt): Promise<void> {
  const bar = BARS.find((one) => one === error?.code);
  const contact = bar && (await findCarried(message, service._id))?.contact;
  if (contact) await markAddress(service, contact, bar);
}

async function findOpenChannel({ principal, id }: ApiRequest): Promise<ServiceDocument> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  if (!ADAPTED_TYPES.includes(service.type)) {
    throw unprocessable(`is not a channel of type ${ADAPTED_TYPES.join(' or ')}`, 'service');
  }
  if (service.status === 'disabled') throw unprocessable('is disabled: it receives nothing', 'service');
  return service;
}
