import type { Static } from 'typebox';
import { parseSigningSecret } from '../../../domain/delivery/signing-secret.ts';
import { secretOrigin } from '../../../domain/events/business-event.ts';
import { findSignatureFault } from '../../../domain/events/hmac-signature.ts';
import { notFound, unprocessable } from '../../../domain/errors.ts';
import { assertNoParameters } from '../../../domain/query/query-string.ts';
import { findUser } from '../../../store/accounts/users.ts';
import { isWithinReach } from '../../../store/queries/reach.ts';
import { eventTypeRecords, setIngest } from '../../../store/records/eventtypes.ts';
import type { EventTypeDocument, IngestAddress } from '../../../store/records/eventtypes.ts';
import { newToken, tokenDigest } from '../../ingest/addresses.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import { describeResource } from '../../records/resource.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { eventTypes } from './eventtypes.ts';
import type { ingestInput } from './eventtypes.ts';

/** POST /eventtypes/{id}/ingest: all processes reject the previous address at once (spec 8.9). */
export async function createIngest(
  request: ApiRequest<Static<typeof ingestInput>>,
  { config }: Api,
): Promise<HandlerResult> {
  const { principal, body, receivedAt } = request;
  const type = await loadEventType(request);
  await checkIngest(type, request);
  const token = newToken();
  const { user, signature = 'standard-webhooks', verifyToken } = body;
  const secret = parseIngestSecret(body);
  const encryption = createEncryption(config.authSecret);
  const ingest: IngestAddress = {
    token: tokenDigest(token),
    user,
    ...(secret === undefined ? {} : { secret: encryption.encrypt(secret), signature }),
    ...(verifyToken === undefined ? {} : { verifyToken: encryption.encrypt(verifyToken) }),
    createdBy: principal.user,
    createdAt: new Date(receivedAt),
  };
  await setIngest(type._id, ingest);
  return {
    status: 201,
    body: { ...present(type._id, ingest), url: `${config.publicUrl}/in/${token}` },
    once: ['url'],
    headers: { Location: `${config.publicUrl}/v2/eventtypes/${type._id}/ingest` },
  };
}

export async function getIngest(request: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(request.querystring);
  const { _id, ingest } = await loadEventType(request);
  if (!ingest) throw notFound('The ingest address');
  return { status: 200, body: present(_id, ingest) };
}

/** DELETE /eventtypes/{id}/ingest: all processes reject the address at once. */
export async function removeIngest(request: ApiRequest): Promise<HandlerResult> {
  const { _id } = await loadEventType(request);
  if (!(await setIngest(_id, null))) throw notFound('The ingest address');
  return { status: 204 };
}

function parseIngestSecret({ secret, signature = 'standard-webhooks' }: Static<typeof ingestInput>) {
  if (secret === undefined) return undefined;
  return parseSigningSecret(secret, 'secret', secretOrigin(signature));
}

async function loadEventType({ principal, id }: Pick<ApiRequest, 'principal' | 'id'>) {
  const type = await eventTypeRecords.find(principal.reach, id);
  if (!type) throw notFound(describeResource(eventTypes));
  return type;
}

async function checkIngest(
  { organization }: EventTypeDocument,
  { principal, body: { user, secret, signature } }: ApiRequest<Static<typeof ingestInput>>,
): Promise<void> {
  const bot = await findUser(principal.reach, user);
  if (bot?.role !== 'bot' || !(await isWithinReach({ organization }, bot.organization))) {
    throw unprocessable("must be a bot of the event type's organization, or of one below it", 'user');
  }
  if (signature !== undefined && secret === undefined) {
    throw unprocessable('is needed: without one no signature can be checked', 'secret');
  }
  if (typeof signature !== 'object') return;
  const fault = findSignatureFault(signature);
  if (fault) throw unprocessable(fault.rule, `signature.${fault.path}`);
}

function present(eventtype: string, { user, signature, createdBy, createdAt }: IngestAddress) {
  const signed = signature === undefined ? {} : { signature };
  return { eventtype, user, ...signed, createdBy, createdAt };
}
