import Type from 'typebox';
import { MAX_TOKEN_CHARACTERS } from '../../../auth/jwt.ts';
import { Email, Id, Time, text } from '../../../schema/kinds.ts';

/** The most characters of a password. */
export const MAX_PASSWORD_CHARACTERS = 200;

const Password = text({ max: MAX_PASSWORD_CHARACTERS });
const Otp = text({ max: 16 });
const Token = text({ max: MAX_TOKEN_CHARACTERS });

/** Either email and password, or refreshToken and clientId (spec 3.3). */
export const tokenInput = Type.Object({
  email: Type.Optional(Email),
  password: Type.Optional(Password),
  otp: Type.Optional(Otp),
  refreshToken: Type.Optional(Token),
  clientId: Type.Optional(Email),
});

/** The query of GET /auth/token. */
export const refreshQuery = Type.Object({ refreshToken: Token });

/** The token response (spec 3.3). */
export const tokenSchema = Type.Object({
  tokenType: Type.Literal('Bearer'),
  token: Type.String(),
  refreshToken: Type.String(),
  user: Id,
  organization: Id,
  expiresAt: Time,
  scope: Type.String(),
});

/**
 * The password of a user who is logged in. As long as any may be: whether it is right is all that
 * is said of it.
 */
export const CurrentPassword = Password;

/** What one-time passwords begin with (spec 3.8). */
export const otpProposal = Type.Object({ currentPassword: CurrentPassword });

/** A one-time password, to show that one has the secret. */
export const otpInput = Type.Object({ otp: Otp });

/**
 * A new secret for one-time passwords, in base32, and as an address for authenticator apps (spec
 * 3.8).
 */
export const otpSchema = Type.Object({ secret: Type.String(), url: Type.String() });

export type TokenPair = Type.Static<typeof tokenSchema>;
