import type { Static } from 'typebox';
import { DomainError } from '../../../domain/errors.ts';
import { notFound, unprocessable } from '../../../domain/refusal.ts';
import { confirmOtp, findOtp, proposeOtp, removeOtp, useOtpStep } from '../../../store/accounts/otps.ts';
import type { OtpDocument } from '../../../store/accounts/otps.ts';
import { findAccount, findUser } from '../../../store/accounts/users.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { refusePeer, requireCurrentPassword } from './credentials.ts';
import { guarded } from './lock-out.ts';
import type { otpInput, otpProposal } from './schema.ts';
import { newOtpSecret, openedSecret, otpUrl, stepOf } from './totp.ts';

type OtpRequest = ApiRequest<Static<typeof otpInput>>;

/**
 * POST /users/me/otp: a secret, for the current password, shown this once and asked for at login as
 * soon as it is confirmed. One in force has to be removed first (409).
 */
export async function createOtp(
  { principal, body }: ApiRequest<Static<typeof otpProposal>>,
  { config }: Api,
): Promise<HandlerResult> {
  const user = await findAccount({ _id: principal.user });
  if (!user) throw notFound('The user');
  await requireCurrentPassword(user, body.currentPassword);
  const secret = newOtpSecret();
  if (!(await proposeOtp(user._id, createEncryption(config.authSecret).close(secret)))) {
    throw new DomainError('conflict', 'One-time passwords are in use already. Remove them first.');
  }
  return { status: 200, body: { secret, url: otpUrl(secret, user.email) } };
}

/**
 * PUT /users/me/otp: shows that the user has the secret. From now on a login needs one. Wrong ones
 * are counted as failed logins are.
 */
export async function confirmOwnOtp(
  { principal, body }: OtpRequest,
  { config }: Api,
): Promise<HandlerResult> {
  const user = await findAccount({ _id: principal.user });
  if (!user) throw notFound('The user');
  const otp = await guarded(user.email, async (fail) => {
    const proposed = await findOtp(user._id);
    if (!proposed || proposed.confirmedAt) throw notFound('A secret to confirm');
    if (stepNow(proposed, body.otp, config.authSecret) === null) throw await fail(wrong());
    return proposed;
  });
  if (!(await confirmOtp(otp))) throw notFound('A secret to confirm');
  return { status: 204 };
}

/**
 * DELETE /users/me/otp: a login needs none any more. Wrong and used ones are counted as failed
 * logins are.
 */
export async function removeOwnOtp({ principal, body }: OtpRequest, { config }: Api): Promise<HandlerResult> {
  const user = await findAccount({ _id: principal.user });
  if (!user) throw notFound('The user');
  await guarded(user.email, async (fail) => {
    const otp = await findOtp(user._id);
    if (!otp?.confirmedAt) throw notFound('A one-time password');
    const step = stepNow(otp, body.otp, config.authSecret);
    if (step === null || !(await useOtpStep(user._id, step))) throw await fail(wrong());
  });
  await removeOtp(user._id);
  return { status: 204 };
}

/**
 * DELETE /users/{id}/otp: an admin takes them from a user below who has lost the secret (spec 3).
 * Their own take a one-time password.
 */
export async function removeOtpOf({ principal, id }: ApiRequest): Promise<HandlerResult> {
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  refusePeer(principal, user);
  if (!(await removeOtp(user._id))) throw notFound('A one-time password');
  return { status: 204 };
}

function stepNow({ secret }: OtpDocument, otp: string, authSecret: string): number | null {
  return stepOf(openedSecret(secret, createEncryption(authSecret)), otp);
}

function wrong(): DomainError {
  return unprocessable('is not right', 'otp');
}
