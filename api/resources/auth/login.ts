import { loginEmail } from '../../../domain/email.ts';
import { DomainError } from '../../../domain/errors.ts';
import { findOtp, useOtpStep } from '../../../store/accounts/otps.ts';
import { findAccount } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import type { Encryption } from '../../../application/posting/encryption.ts';
import { runGuess } from './credentials.ts';
import { passwordMatches } from './password.ts';
import { decryptSecret, findTimeStep } from './otp.ts';

interface Credentials {
  email: string;
  password: string;
  otp: string | undefined;
  address: string;
}

/**
 * Throws DomainError `unauthenticated`, `otp_required`, `login_locked`, or `unprocessable` if the
 * one-time password cannot be checked (spec 3.3).
 */
export function login(
  { email: given, password, otp, address }: Credentials,
  encryption: Encryption,
): Promise<UserDocument> {
  const email = loginEmail(given);
  return runGuess(email, async (fail) => {
    const user = await findAccount({ email });
    const matches = await passwordMatches({ passwordHash: user?.passwordHash, password, asker: address });
    if (!user || !matches || !(await otpMatches(user, otp, encryption))) throw await fail(wrongLoginError());
    return user;
  });
}

async function otpMatches(
  { _id }: UserDocument,
  given: string | undefined,
  encryption: Encryption,
): Promise<boolean> {
  const otp = await findOtp(_id);
  if (!otp?.confirmedAt) return true;
  if (given === undefined) {
    throw new DomainError('otp_required', 'This user logs in with a one-time password as well.');
  }
  const step = findTimeStep(decryptSecret(otp.secret, encryption), given);
  return step !== null && useOtpStep(_id, step);
}

/** Returns the same error whether the email, the password or the one-time password is wrong. */
export function wrongLoginError(): DomainError {
  return new DomainError('unauthenticated', 'The email, the password or the one-time password is wrong.');
}
