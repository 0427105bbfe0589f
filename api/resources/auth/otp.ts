import type { Static } from 'typebox';
import { DomainError, notFound, unprocessable } from '../../../domain/errors.ts';
import { confirmOtp, findOtp, proposeOtp, removeOtp, useOtpStep } from '../../../store/accounts/otps.ts';
import type { OtpDocument } from '../../../store/accounts/otps.ts';
import { findAccount, findUser } from '../../../store/accounts/users.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { assertNotPeerAdmin, assertCurrentPassword, runGuess } from './credentials.ts';
import type { otpInput, otpProposal } from './schema.ts';
import { Secret, TOTP } from 'otpauth';
import { storeNow } from '../../../store/cluster/clock.ts';
import type { Encryption } from '../../../application/posting/encryption.ts';

type OtpRequest = ApiRequest<Static<typeof otpInput>>;

/** POST /users/me/otp: the secret takes effect once confirmed. */
export async function createOtp(
  { principal, body }: ApiRequest<Static<typeof otpProposal>>,
  { config }: Api,
): Promise<HandlerResult> {
  const user = await findAccount({ _id: principal.user });
  if (!user) throw notFound('The user');
  await assertCurrentPassword(user, body.currentPassword);
  const secret = newOtpSecret();
  if (!(await proposeOtp(user._id, createEncryption(config.authSecret).encrypt(secret)))) {
    throw new DomainError('conflict', 'One-time passwords are in use already. Remove them first.');
  }
  return { status: 200, body: { secret, url: otpUrl(secret, user.email) } };
}

export async function confirmOwnOtp(
  { principal, body }: OtpRequest,
  { config }: Api,
): Promise<HandlerResult> {
  const user = await findAccount({ _id: principal.user });
  if (!user) throw notFound('The user');
  const otp = await runGuess(user.email, async (fail) => {
    const proposed = await findOtp(user._id);
    if (!proposed || proposed.confirmedAt) throw notFound('A secret to confirm');
    if (findCurrentStep(proposed, body.otp, config.authSecret) === null) throw await fail(wrongOtpError());
    return proposed;
  });
  if (!(await confirmOtp(otp))) throw notFound('A secret to confirm');
  return { status: 204 };
}

/** DELETE /users/me/otp: wrong and used one-time passwords count as failed logins. */
export async function removeOwnOtp({ principal, body }: OtpRequest, { config }: Api): Promise<HandlerResult> {
  const user = await findAccount({ _id: principal.user });
  if (!user) throw notFound('The user');
  await runGuess(user.email, async (fail) => {
    const otp = await findOtp(user._id);
    if (!otp?.confirmedAt) throw notFound('A one-time password');
    const step = findCurrentStep(otp, body.otp, config.authSecret);
    if (step === null || !(await useOtpStep(user._id, step))) throw await fail(wrongOtpError());
  });
  await removeOtp(user._id);
  return { status: 204 };
}

export async function removeUserOtp({ principal, id }: ApiRequest): Promise<HandlerResult> {
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  assertNotPeerAdmin(principal, user);
  if (!(await removeOtp(user._id))) throw notFound('A one-time password');
  return { status: 204 };
}

function findCurrentStep({ secret }: OtpDocument, otp: string, authSecret: string): number | null {
  return findTimeStep(decryptSecret(secret, createEncryption(authSecret)), otp);
}

function wrongOtpError(): DomainError {
  return unprocessable('is not right', 'otp');
}

const ISSUER = 'Parlance';
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
// Steps accepted before and after now, for clock drift and typing time.
const WINDOW = 1;
const SIX_DIGITS = /^\d{6}$/;
const BETWEEN_DIGITS = /[\s\p{Cf}\p{Pd}.]/gu;
const DECIMAL_DIGIT = /\p{Nd}/gu;
const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit));

function newOtpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

function otpUrl(secret: string, email: string): string {
  return totp(secret, email).toString();
}

export function decryptSecret(sealed: string, encryption: Encryption): string {
  const secret = encryption.decrypt(sealed);
  if (secret !== null) return secret;
  throw unprocessable(
    "This user's one-time passwords were set up under another AUTH_SECRET and cannot be checked. The operator of this server can put " +
      'that secret back, or an admin can remove them.',
  );
}

/** Returns the time step of a one-time password (RFC 6238), or null if it is wrong. */
export function findTimeStep(secret: string, given: string): number | null {
  const otp = given.normalize('NFKC').replace(BETWEEN_DIGITS, '').replace(DECIMAL_DIGIT, toAsciiDigit);
  // otpauth throws for six characters that are not six bytes.
  if (!SIX_DIGITS.test(otp)) return null;
  const now = storeNow();
  const delta = totp(secret).validate({ token: otp, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const below = DIGITS.findIndex((_, at) => !/\p{Nd}/u.test(String.fromCodePoint(code - at - 1)));
  return DIGITS[below] ?? digit;
}

function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
}
