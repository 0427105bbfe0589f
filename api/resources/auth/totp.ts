import { Secret, TOTP } from 'otpauth';
import { unprocessable } from '../../../domain/refusal.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import type { Encryption } from '../../../application/posting/encryption.ts';

const ISSUER = 'Parlance';
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
// A clock may be off by one step, and typing takes time.
const WINDOW = 1;
const SIX_DIGITS = /^\d{6}$/;

/** A new secret, in base32 as authenticator apps take it. */
export function newOtpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function otpUrl(secret: string, email: string): string {
  return totp(secret, email).toString();
}

/**
 * The secret that a user's one-time passwords are made with. Throws DomainError `unprocessable`
 * where it was sealed under another AUTH_SECRET: then no one-time password can be right.
 */
export function decryptSecret(sealed: string, encryption: Encryption): string {
  const secret = encryption.decrypt(sealed);
  if (secret !== null) return secret;
  throw unprocessable(
    "This user's one-time passwords were set up under another AUTH_SECRET and cannot be checked. The operator of this server can put " +
      'that secret back, or an admin can remove them.',
  );
}

/**
 * The time step for which a one-time password is right now (RFC 6238: six digits, 30 s, SHA-1), or
 * null where it is wrong.
 */
export function findTimeStep(secret: string, otp: string): number | null {
  // otpauth throws for what has six characters and another number of bytes.
  if (!SIX_DIGITS.test(otp)) return null;
  const now = storeNow();
  const delta = totp(secret).validate({ token: otp, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
}
