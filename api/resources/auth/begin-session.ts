import { toEventActor } from '../../../domain/events/actor.ts';
import { eventId } from '../../../domain/events/event-id.ts';
import { publish } from '../../../store/delivery/publish.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import type { Api, OpenRequest } from '../../request.ts';
import { presentUser } from '../users/resource.ts';
import { login } from './login.ts';
import type { TokenPair } from './schema.ts';
import { openFamily } from './token-pair.ts';

/** How somebody says who they are. */
export interface Login {
  email: string;
  password: string;
  otp?: string | undefined;
}

/**
 * The first tokens of whoever logs in by password, and the event `user.login` (spec 3.1). Throws
 * DomainError `unauthenticated`, `otp_required`, or `rate_limited` after too many failures.
 */
export async function beginSession(
  { body: { email, password, otp }, ids, receivedAt, client }: OpenRequest<Login>,
  { authority, config }: Api,
): Promise<TokenPair> {
  const user = await login(
    { email, password, otp, address: client.address },
    createEncryption(config.authSecret),
  );
  const pair = await openFamily(authority.jwt, user);
  await publish(
    {
      id: eventId(ids.newId()),
      name: 'user.login',
      timestamp: receivedAt,
      organization: user.organization,
      actor: toEventActor({ user: user._id, role: user.role }),
      data: { user: presentUser(user) },
    },
    config,
  );
  return pair;
}
