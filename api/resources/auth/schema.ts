import Type from 'typebox';
import { MAX_TOKEN_CHARACTERS } from '../../../application/auth/jwt.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../../../store/accounts/users.ts';
import { Email, Time, about, idOf, object, oneOf, shownAs, text } from '../../../schema/kinds.ts';

const SAMPLE_TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.signature';

const Password = about(text({ max: MAX_PASSWORD_CHARACTERS }), 'The password.', 'correct horse battery');
const Otp = about(text({ max: 16 }), 'The current one-time password of the authenticator.', '123456');
const RefreshToken = about(text({ max: MAX_TOKEN_CHARACTERS }), 'The refresh token.', SAMPLE_TOKEN);

/** See spec 3.3. */
export const tokenInput = object('TokenInput', 'Either email and password, or refreshToken and clientId.', {
  email: Type.Optional(about(Email, "The user's email.", 'ada@example.com')),
  password: Type.Optional(Password),
  otp: Type.Optional(
    about(Otp, 'The one-time password, for users who have them. Without it: 401 `otp_required`.', '123456'),
  ),
  refreshToken: Type.Optional(RefreshToken),
  clientId: Type.Optional(about(Email, "The user's email. The record of a bot shows it.", 'ada@example.com')),
});

export const refreshQuery = Type.Object({ refreshToken: RefreshToken });

/** See spec 3.3. */
export const tokenSchema = object('Token', 'Tokens of a session.', {
  tokenType: about(Type.Literal('Bearer'), 'The authentication scheme.'),
  token: about(Type.String(), 'The access token. Valid for 24 hours, for a bot 30 days.', SAMPLE_TOKEN),
  refreshToken: about(
    Type.String(),
    'The refresh token. Valid once, for 30 days, for a bot 90.',
    SAMPLE_TOKEN,
  ),
  user: idOf('users', 'The user who signed in.'),
  organization: idOf('organizations', 'The organization of the user.'),
  expiresAt: about(Time, 'The expiry time of the access token.'),
  scope: about(Type.String(), 'The scopes of the token, separated by spaces.', 'guest agent'),
});

/** May be shorter than a new password: a short password is wrong, not invalid. */
const CurrentPassword = about(Password, 'The current password.', 'correct horse battery');

/** See spec 3.8. */
export const otpProposal = object('OtpProposal', 'Proof that the caller knows the password.', {
  currentPassword: CurrentPassword,
});

export const otpInput = object('OtpInput', 'Proof that the caller has the secret.', { otp: Otp });

/** See spec 3.8. */
export const otpSchema = object('OtpSecret', 'A new secret for one-time passwords.', {
  secret: about(Type.String(), 'The secret, in base32.', 'JBSWY3DPEHPK3PXP'),
  url: shownAs(
    'uri',
    about(
      Type.String(),
      'The secret as an address for authenticator apps, to show as a QR code.',
      'otpauth://totp/Parlance:ada%40example.com?issuer=Parlance&secret=JBSWY3DPEHPK3PXP',
    ),
  ),
});

/** See spec 3.9. */
export const passwordLinkInput = object('PasswordLinkInput', 'How the link reaches the user.', {
  mail: Type.Optional(
    about(
      Type.Boolean(),
      'Sends the link to the email of the user. By default the caller hands it over.',
      true,
    ),
  ),
});

const LinkMailStatus = oneOf(['sent', 'waiting', 'failed', 'unavailable']);

/** See spec 3.10. */
const linkMailSchema = object('LinkMail', 'What became of the mail with the link.', {
  status: about(
    LinkMailStatus,
    'Whether the mail server has taken the mail. `waiting`: it is tried again. `unavailable`: no mail server is set.',
    'sent',
  ),
  to: about(Email, 'The email of the user.', 'grace@example.com'),
  reason: Type.Optional(
    about(Type.String(), 'Why the mail failed.', 'The mail server did not accept the recipient.'),
  ),
});

export type LinkMail = Type.Static<typeof linkMailSchema>;

/** See spec 3.9. */
export const passwordLinkSchema = object('PasswordLink', 'A link by which a user sets a password, once.', {
  url: Type.Optional(
    shownAs(
      'uri',
      about(
        Type.String(),
        'The page of the console that sets the password. Absent if the link was sent by mail.',
        `https://example.com/console#/password/${SAMPLE_TOKEN}`,
      ),
    ),
  ),
  expiresAt: about(Time, 'The expiry time of the link.'),
  mail: Type.Optional(linkMailSchema),
});

/** See spec 3.10. */
export const resetInput = object('PasswordResetInput', 'A user who has forgotten the password.', {
  email: about(Email, "The user's email.", 'ada@example.com'),
});

export const passwordInput = object('PasswordInput', 'A new password.', {
  token: about(
    text({ max: MAX_TOKEN_CHARACTERS }),
    'The part of the link after `#/password/`.',
    SAMPLE_TOKEN,
  ),
  password: about(
    text({ min: MIN_PASSWORD_CHARACTERS, max: MAX_PASSWORD_CHARACTERS }),
    'The new password: 10 to 200 characters.',
    'battery horse correct',
  ),
});

export const passwordSetSchema = object('PasswordSet', 'The user whose password was set.', {
  user: idOf('users', 'The id of the user.'),
  email: about(Email, 'The email for signing in.', 'grace@example.com'),
});

export type TokenPair = Type.Static<typeof tokenSchema>;
export function bearerToken(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
