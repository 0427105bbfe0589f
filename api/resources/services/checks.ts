import { parseSigningSecret, signingSecrets } from '../../../domain/delivery/signing-secret.ts';
import { DomainError, invalidRequest, unprocessable, withinPath, notFound } from '../../../domain/errors.ts';
import { parsePattern } from '../../../domain/events/event-pattern.ts';
import { findUser } from '../../../store/accounts/users.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { parseTarget } from '../../../deliveries/http/address.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import Type from 'typebox';
import { definedFields } from '../../../domain/record-fields.ts';
import { envelope } from '../../../domain/events/envelope.ts';
import { sampleEvent } from '../../../domain/events/sample-event.ts';
import { about, object } from '../../../schema/kinds.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { findService } from '../../../store/delivery/services.ts';
import { readAnswer } from '../../../deliveries/http/answer.ts';
import { describeFailure } from '../../../deliveries/http/exchange.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { eventId } from '../../../domain/events/event-name.ts';
import { attemptResult } from '../deliveries/schema.ts';
import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { findReceiver, noteVerification, verificationEnd } from '../../../store/delivery/service-health.ts';
import { buildRecordResult } from '../../records/if-match.ts';
import { changeService } from './change.ts';
import { services } from './schema.ts';

export interface ServiceFields {
  type?: string | undefined;
  user?: string | null | undefined;
  params?: ServiceDocument['params'] | undefined;
}

/** Throws DomainError `unprocessable` or `invalid_request` for invalid fields (spec 7.4). */
export async function checkService(
  { type, user, params }: ServiceFields,
  principal: Principal,
): Promise<void> {
  if (type !== undefined && type !== 'webhook') throw unprocessable('the only type is webhook', 'type');
  if (params) checkParams(params);
  if (user == null) return;
  const bot = await findUser(principal.reach, user);
  if (bot?.role !== 'bot') throw unprocessable('there is no such bot', 'user');
}

export function normalizeParams(params: ServiceDocument['params']): ServiceDocument['params'] {
  const { secret } = params;
  return secret === undefined ? params : { ...params, secret: parseSigningSecret(secret, 'params.secret') };
}

function checkParams({ url, events }: ServiceDocument['params']): void {
  try {
    parseTarget(url);
  } catch (error) {
    if (error instanceof DomainError)
      throw invalidRequest('params.url', 'must be an absolute http or https url');
    throw error;
  }
  events?.forEach((pattern, at) => withinPath(`params.events.${at}`, () => parsePattern(pattern)));
}

export const testSchema = object('WebhookTest', 'What came of a sample.', {
  event: about(Type.String(), 'The event that it was.', 'message.create.contact.chat'),
  ...attemptResult,
});

/** POST /services/{id}/test: sends a sample without log, retry or reply (spec 7.11). */
export async function testService(
  { principal, id, ids, receivedAt }: ApiRequest,
  { config: { publicUrl }, webhooks }: Api,
): Promise<HandlerResult> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  const { organization } = service;
  const links = (await organizationContext(organization))?.links ?? {};
  const event = sampleEvent({
    id: eventId(ids.newId()),
    record: ids.newId(),
    organization,
    links,
    user: principal.user,
    now: receivedAt,
    publicUrl,
  });
  const end = await webhooks.sendWebhook({
    url: service.params.url,
    id: event.id,
    body: JSON.stringify(envelope(event)),
    secrets: signingSecrets(service, storeDate()),
  });
  const { answer, outcome, durationMs, status, requests } = end;
  const reason = describeFailure(end);
  const response = answer?.bytes.length ? (await readAnswer(answer)).text : undefined;
  return {
    status: 200,
    body: {
      event: event.name,
      ...definedFields({ outcome, durationMs, status, response, reason, requests }),
    },
  };
}

/** After this time the request returns. The verification continues. */
const TIMEOUT_MS = 5_000;

/**
 * POST /services/{id}/verify: an active service stays active unless the verification fails (spec
 * 7.2).
 */
export async function verifyService(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const service = await changeService(request, async (found) => {
    const { verifyBy, ...begun } = await startVerification(found, request, api);
    return found.status === 'active' ? { verifyBy } : { verifyBy, ...begun };
  });
  return buildRecordResult(services, await awaitVerification(service, api));
}

/** Throws DomainError `unprocessable` if the service's bot was deleted. */
export async function startVerification(
  { user }: Pick<ServiceDocument, 'user'>,
  { principal }: Pick<ApiRequest, 'principal'>,
  { config }: Pick<Api, 'config'>,
) {
  if (user !== undefined && !(await findUser(principal.reach, user))) {
    throw unprocessable('its bot was deleted: name another one first', 'user');
  }
  return {
    status: 'pending',
    statusReason: null,
    paused: null,
    verifyBy: verificationEnd(config.webhookTimeoutMs),
  } as const satisfies Patch<ServiceDocument>;
}

export function awaitVerification(service: ServiceDocument, api: Api): Promise<ServiceDocument | null> {
  return withTimeout(runVerification(service, api), TIMEOUT_MS, () => findReceiver(service._id));
}

async function runVerification(
  service: ServiceDocument,
  { webhooks, log }: Api,
): Promise<ServiceDocument | null> {
  try {
    const verification = await webhooks.verifyWebhook(service.params.url);
    return await noteVerification(service, verification.verified ? null : verification.reason);
  } catch (error) {
    // A worker verifies the service later.
    log.warn({ err: error, service: service._id }, 'a webhook could not be verified');
    return service;
  }
}
