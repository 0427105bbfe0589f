import { CHANNEL_TYPES, isChannelType } from '../../../domain/channels/channel-type.ts';
import { parseSigningSecret } from '../../../domain/delivery/signing-secret.ts';
import { unprocessable, withinPath } from '../../../domain/errors.ts';
import { parsePattern } from '../../../domain/events/event-pattern.ts';
import { findUser } from '../../../store/accounts/users.ts';
import type { AddressedService, ServiceDocument } from '../../../store/delivery/services.ts';
import type { Principal } from '../../../application/auth/principal.ts';
import { hasAddress } from '../../../store/delivery/services.ts';
import { verifyService as verifyAddress } from '../../../deliveries/channels/verify.ts';
import type { VerifyDeps } from '../../../deliveries/channels/verify.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { findReceiver, verificationEnd } from '../../../store/delivery/service-health.ts';
import { buildRecordResult } from '../../records/if-match.ts';
import { changeService } from './change.ts';
import { assertHttpUrl, assertOwnParams } from './channel.ts';
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
  if (type !== undefined && type !== 'webhook' && !isChannelType(type)) {
    throw unprocessable(`must be one of webhook, ${CHANNEL_TYPES.join(', ')}`, 'type');
  }
  params?.events?.forEach((pattern, at) => withinPath(`params.events.${at}`, () => parsePattern(pattern)));
  if (user == null) return;
  const bot = await findUser(principal.reach, user);
  if (bot?.role !== 'bot') throw unprocessable('there is no such bot', 'user');
}

/** Returns a webhook's params. Throws DomainError for invalid params and params of channels. */
export function normalizeParams(params: ServiceDocument['params']): ServiceDocument['params'] {
  assertOwnParams(params, 'webhook');
  const { secret, url } = params;
  if (url !== undefined) assertHttpUrl(url);
  return secret === undefined ? params : { ...params, secret: parseSigningSecret(secret, 'params.secret') };
}

/** After this time the request returns. The verification continues. */
const TIMEOUT_MS = 5_000;

/**
 * POST /services/{id}/verify: an active service stays active unless the verification fails (spec
 * 7.2).
 */
export async function verifyService(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const service = await changeService(request, async (found) => {
    assertAddress(found);
    const { verifyBy, ...begun } = await startVerification(found, request, api);
    return found.status === 'active' ? { verifyBy } : { verifyBy, ...begun };
  });
  return buildRecordResult(services, await awaitVerification(service, api));
}

export function assertAddress<S extends ServiceDocument>(
  service: S,
): asserts service is S & AddressedService {
  if (!hasAddress(service)) throw unprocessable('has no url: its events are pulled', 'service');
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

/** A service without an address has nothing to verify. */
export async function awaitVerification(service: ServiceDocument, api: Api): Promise<ServiceDocument | null> {
  if (!hasAddress(service)) return service;
  return withTimeout(runVerification(service, api), TIMEOUT_MS, () => findReceiver(service._id));
}

export function verifyDeps({ webhooks, config }: Pick<Api, 'webhooks' | 'config'>): VerifyDeps {
  return { webhooks, publicUrl: config.publicUrl, secrets: createEncryption(config.authSecret) };
}

async function runVerification(
  service: ServiceDocument & AddressedService,
  api: Api,
): Promise<ServiceDocument | null> {
  const { log } = api;
  try {
    return await verifyAddress(service, verifyDeps(api));
  } catch (error) {
    // A worker verifies the service later.
    log.warn({ err: error, service: service._id }, 'a webhook could not be verified');
    return service;
  }
}
