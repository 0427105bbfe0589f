import type { ChannelField, Params } from './fields.ts';

/** How a channel of type `email` logs in (spec 15.10). */
type MailLogin = 'password' | 'google' | 'microsoft' | 'other';

interface Preset {
  url: string;
  imapUrl: string;
  tokenUrl: string;
  scope?: string;
}

const MICROSOFT = 'https://login.microsoftonline.com/';

const PRESETS: Readonly<Record<'google' | 'microsoft', (values: Params) => Preset>> = {
  google: () => ({
    url: 'smtps://smtp.gmail.com:465',
    imapUrl: 'imaps://imap.gmail.com:993',
    tokenUrl: 'https://oauth2.googleapis.com/token',
  }),
  microsoft: ({ tenant = '' }) => ({
    url: 'smtp://smtp.office365.com:587',
    imapUrl: 'imaps://outlook.office365.com:993',
    tokenUrl: `${MICROSOFT}${encodeURIComponent(tenant.trim())}/oauth2/v2.0/token`,
    scope: 'https://outlook.office365.com/.default',
  }),
};

const isAny =
  (...logins: MailLogin[]) =>
  ({ login }: Params) =>
    logins.includes(login as MailLogin);
const isOAuth = isAny('google', 'microsoft', 'other');

export const MAIL_FIELDS: readonly ChannelField[] = [
  { name: 'address', type: 'email' },
  { name: 'login', type: 'choice', initial: () => 'password' },
  { name: 'url', isShown: isAny('password', 'other') },
  { name: 'imapUrl', isOptional: true, isShown: isAny('password', 'other') },
  { name: 'password', type: 'password', isSecret: true, isShown: isAny('password') },
  { name: 'tokenUrl', type: 'url', isShown: isAny('other') },
  { name: 'tenant', isShown: isAny('microsoft') },
  { name: 'clientId', isShown: isOAuth },
  { name: 'clientSecret', type: 'password', isSecret: true, isShown: isOAuth },
  { name: 'refreshToken', type: 'password', isSecret: true, isShown: isAny('google') },
  { name: 'otherToken', type: 'password', isSecret: true, isOptional: true, isShown: isAny('other') },
  { name: 'scope', isOptional: true, isShown: isAny('other') },
  { name: 'username', isOptional: true },
  { name: 'fromName', isOptional: true },
  { name: 'signature', type: 'lines', isOptional: true },
  { name: 'dkimSelector', isOptional: true },
];

/** A server without a scheme has TLS from the first byte, except on another port than usual. */
function toServerUrl(server: string, scheme: 'smtp' | 'imap'): string {
  const name = server.trim();
  if (name.includes('://')) return name;
  const port = /:(\d+)$/.exec(name)?.[1];
  const isSecure = port === undefined || port === (scheme === 'smtp' ? '465' : '993');
  return `${scheme}${isSecure ? 's' : ''}://${name}`;
}

export function toMailParams({ login, tenant = '', otherToken = '', ...values }: Params): Params {
  const { url = '', imapUrl = '', ...others } = values;
  const preset = login === 'google' || login === 'microsoft' ? PRESETS[login]({ tenant }) : undefined;
  return {
    username: others['address'] ?? '',
    ...others,
    ...(otherToken === '' ? {} : { refreshToken: otherToken }),
    ...(preset ?? {
      url: toServerUrl(url, 'smtp'),
      ...(imapUrl === '' ? {} : { imapUrl: toServerUrl(imapUrl, 'imap') }),
    }),
  };
}

/** Returns the values of the fields without a param. */
export function readMailLogin({ clientId, tokenUrl = '', url = '' }: Params): Params {
  if (clientId === undefined) return { login: 'password' };
  if (tokenUrl === PRESETS.google({}).tokenUrl && url === PRESETS.google({}).url) return { login: 'google' };
  const [tenant = ''] = tokenUrl.slice(MICROSOFT.length).split('/');
  const preset = PRESETS.microsoft({ tenant });
  return tokenUrl === preset.tokenUrl && url === preset.url
    ? { login: 'microsoft', tenant }
    : { login: 'other' };
}

const PARAMS: Readonly<Record<string, string>> = { otherToken: 'refreshToken', tenant: 'tokenUrl' };

export function toMailParam(field: string): string {
  return PARAMS[field] ?? field;
}
