import type { Static } from 'typebox';
import { normalEmail } from '../../../domain/email.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { publish } from '../../../store/delivery/publish.ts';
import { actorOf } from '../../../domain/events/actor.ts';
import { createEncryption } from '../../pipeline/encryption.ts';
import type { Answer, Api, OpenRequest } from '../../request.ts';
import { login } from './login.ts';
import { refresh } from './refresh.ts';
import type { tokenInput } from './schema.ts';
import { openFamily } from './token-pair.ts';
import { presentUser } from '../users/resource.ts';
import { eventId } from '../../../domain/events/event-id.ts';

/** POST /auth/token: a login, or a refresh after the access token has expired (spec 3.3). */
export async function createToken(
  { body, mint, receivedAt, client }: OpenRequest<Static<typeof tokenInput>>,
  { authority, config }: Api,
): Promise<Answer> {
  if (body.refreshToken !== undefined) {
    if (body.clientId === undefined) throw invalidRequest('clientId', 'is required');
    const email = normalEmail(body.clientId);
    const pair = await refresh(authority, body.refreshToken, (user) => user.email === email);
    return { status: 200, body: pair };
  }
  if (body.email === undefined) throw invalidRequest('email', 'is required');
  if (body.password === undefined) throw invalidRequest('password', 'is required');
  const { email, password, otp } = body;
  const user = await login(
    { email, password, otp, address: client.address },
    createEncryption(config.authSecret),
  );
  const pair = await openFamily(authority.jwt, user);
  await publish(
    {
      id: eventId(mint.id()),
      name: 'user.login',
      timestamp: receivedAt,
      organization: user.organization,
      actor: actorOf({ user: user._id, role: user.role }),
      data: { user: presentUser(user) },
    },
    config,
  );
  return { status: 200, body: pair };
}
