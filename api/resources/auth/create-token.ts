import type { Static } from 'typebox';
import { lookupEmail } from '../../../domain/email.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import type { HandlerResult, Api, OpenRequest } from '../../request.ts';
import { beginSession } from './begin-session.ts';
import { refresh } from './refresh.ts';
import type { tokenInput } from './schema.ts';

/** POST /auth/token: a login, or a refresh after the access token has expired (spec 3.3). */
export async function createToken(
  request: OpenRequest<Static<typeof tokenInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { email, password, otp, clientId, refreshToken } = request.body;
  if (refreshToken !== undefined) {
    if (clientId === undefined) throw invalidRequest('clientId', 'is required');
    const owner = lookupEmail(clientId);
    const pair = await refresh(api.authority, refreshToken, (user) => user.email === owner);
    return { status: 200, body: pair };
  }
  if (email === undefined) throw invalidRequest('email', 'is required');
  if (password === undefined) throw invalidRequest('password', 'is required');
  return { status: 200, body: await beginSession({ ...request, body: { email, password, otp } }, api) };
}
