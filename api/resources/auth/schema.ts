import Type from 'typebox';
import { Id, Time, text } from '../../../schema/kinds.ts';

/** Either email and password, or refreshToken and clientId (spec 3.3). */
export const tokenInput = Type.Object({
  email: Type.Optional(text({ max: 320 })),
  password: Type.Optional(text({ max: 200 })),
  otp: Type.Optional(text({ max: 16 })),
  refreshToken: Type.Optional(text({ max: 8192 })),
  clientId: Type.Optional(text({ max: 320 })),
});

/** The query of GET /auth/token. */
export const refreshQuery = Type.Object({ refreshToken: text({ max: 8192 }) });

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
export const CurrentPassword = text({ max: 200 });

/** What one-time passwords begin with (spec 3.8). */
export const otpProposal = Type.Object({ currentPassword: CurrentPassword });

/** A one-time password, to show that one has the secret. */
export const otpInput = Type.Object({ otp: text({ max: 16 }) });

/**
 * A new secret for one-time passwords, in base32, and as an address for authenticator apps (spec
 * 3.8).
 */
export const otpSchema = Type.Object({ secret: Type.String(), url: Type.String() });

export type TokenPair = Type.Static<typeof tokenSchema>;
