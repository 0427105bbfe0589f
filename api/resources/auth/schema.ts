import Type from 'typebox';
import { MAX_TOKEN_CHARACTERS } from '../../../application/auth/jwt.ts';
import { MAX_PASSWORD_CHARACTERS } from '../../../store/accounts/users.ts';
import { Email, Time, about, idOf, object, shownAs, text } from '../../../schema/kinds.ts';

const SAMPLE_TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature';

const Password = about(text({ max: MAX_PASSWORD_CHARACTERS }), 'The password.', 'correct horse battery');
const Otp = about(text({ max: 16 }), 'The one-time password that the authenticator shows.', '123456');
const RefreshToken = about(text({ max: MAX_TOKEN_CHARACTERS }), 'The refresh token.', SAMPLE_TOKEN);

/** See spec 3.3. */
export const tokenInput = object('TokenInput', 'Either email and password, or refreshToken and clientId.', {
  email: Type.Optional(about(Email, "The user's email.", 'ada@example.com')),
  password: Type.Optional(Password),
  otp: Type.Optional(
    about(
      Otp,
      'The one-time password, of users who have them. Without it they get 401 `otp_required`.',
      '123456',
    ),
  ),
  refreshToken: Type.Optional(RefreshToken),
  clientId: Type.Optional(
    about(Email, "The user's email: a bot's is shown with its record.", 'ada@example.com'),
  ),
});

export const refreshQuery = Type.Object({ refreshToken: RefreshToken });

/** See spec 3.3. */
export const tokenSchema = object('Token', 'Tokens of a session.', {
  tokenType: about(Type.Literal('Bearer'), 'How the token is sent.'),
  token: about(Type.String(), 'The access token: 24 hours, of a bot 30 days.', SAMPLE_TOKEN),
  refreshToken: about(Type.String(), 'Good once, for new tokens: 30 days, of a bot 90.', SAMPLE_TOKEN),
  user: idOf('users', 'Who signed in.'),
  organization: idOf('organizations', 'Their organization.'),
  expiresAt: about(Time, 'When the access token expires.'),
  scope: about(Type.String(), 'What the token may do, separated by spaces.', 'guest agent'),
});

/** May be shorter than a new password: a short password is wrong, not invalid. */
const CurrentPassword = about(Password, 'The present password.', 'correct horse battery');

/** See spec 3.8. */
export const otpProposal = object('OtpProposal', 'Shows that the caller knows their password.', {
  currentPassword: CurrentPassword,
});

export const otpInput = object('OtpInput', 'Shows that the caller has the secret.', { otp: Otp });

/** See spec 3.8. */
export const otpSchema = object('OtpSecret', 'A new secret for one-time passwords.', {
  secret: about(Type.String(), 'The secret, in base32.', 'JBSWY3DPEHPK3PXP'),
  url: shownAs(
    'uri',
    about(
      Type.String(),
      'The same as an address for authenticator apps, to be shown as a QR code.',
      'otpauth://totp/Parlance:ada%40example.com?issuer=Parlance&secret=JBSWY3DPEHPK3PXP',
    ),
  ),
});

export type TokenPair = Type.Static<typeof tokenSchema>;
export function bearerToken(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
