import { parseSigningSecret } from '../../../domain/delivery/signing-secret.ts';
import { DomainError } from '../../../domain/errors.ts';
import { parsePattern } from '../../../domain/events/event-pattern.ts';
import { invalidRequest, unprocessable, withinPath } from '../../../domain/refusal.ts';
import { findUser } from '../../../store/accounts/users.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { checkWebhookUrl } from '../../../deliveries/http/target.ts';
import type { Principal } from '../../../application/auth/principal.ts';

/** What a caller says of a service, as far as it has to make sense. */
export interface ServiceFields {
  type?: string | undefined;
  user?: string | null | undefined;
  params?: ServiceDocument['params'] | undefined;
}

/**
 * Throws DomainError: `unprocessable` for a type other than webhook and a user who is no bot of the
 * caller's, `invalid_request` for an invalid url and a pattern that no event can match (spec
 * 7.4).
 */
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

/**
 * Returns `params` with its secret as it is stored. Throws DomainError `invalid_request` for a
 * secret that cannot be what was meant.
 */
export function normalizeParams(params: ServiceDocument['params']): ServiceDocument['params'] {
  const { secret } = params;
  return secret === undefined ? params : { ...params, secret: parseSigningSecret(secret, 'params.secret') };
}

function checkParams({ url, events }: ServiceDocument['params']): void {
  try {
    checkWebhookUrl(url);
  } catch (error) {
    if (error instanceof DomainError)
      throw invalidRequest('params.url', 'must be an absolute http or https url');
    throw error;
  }
  events?.forEach((pattern, at) => withinPath(`params.events.${at}`, () => parsePattern(pattern)));
}
