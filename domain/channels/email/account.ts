import { canonicalEmail } from '../../email.ts';
import { invalidRequest } from '../../errors.ts';
import { definedFields } from '../../record-fields.ts';

/** Params of a channel of type `email` (spec 15.10). */
export interface EmailParams {
  /** Address of the SMTP server: `smtps://host:port`, or `smtp://host:port` with STARTTLS. */
  url: string;
  /** Address of the IMAP server: `imaps://host:port`, or `imap://host:port` with STARTTLS. */
  imapUrl?: string;
  address: string;
  fromName?: string;
  /** Lines below each mail. */
  signature?: string;
  /** Mails are signed with the key of this name (RFC 6376). */
  dkimSelector?: string;
  username: string;
  /** Absent where the login is a password. */
  tokenUrl?: string;
  clientId?: string;
  scope?: string;
}

export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise STARTTLS. */
  isSecure: boolean;
  /** A server on the same machine may have no certificate and no login. */
  isLocal: boolean;
}

/** The first scheme has TLS from the first byte. */
interface MailProtocol {
  schemes: readonly [string, string];
  ports: readonly [number, number];
}

const SMTP: MailProtocol = { schemes: ['smtps', 'smtp'], ports: [465, 587] };
const IMAP: MailProtocol = { schemes: ['imaps', 'imap'], ports: [993, 143] };
const MAX_CREDENTIAL = 512;
/** Tokens of Microsoft have about 1,500 characters. */
const MAX_TOKEN = 4_096;
const MAX_NAME = 100;
export const MAX_SIGNATURE = 1_000;
/** Spaces at both ends are a part of a password. */
const CONTROL = /\p{Cc}/u;

type Login = 'password' | 'clientSecret';
type OtherSecret = 'refreshToken';
type GivenParams = Partial<Record<keyof EmailParams | Login | OtherSecret, string>>;

interface ParsedEmail {
  params: EmailParams;
  secretName: Login;
  secret: string | undefined;
  others: Partial<Record<OtherSecret, string>>;
}

/** Throws DomainError `invalid_request` (spec 15.10). */
export function parseEmailParams(given: GivenParams): ParsedEmail {
  const address = readRequired(given, 'address');
  const url = readRequired(given, 'url');
  const username = readRequired(given, 'username');
  const canonical = canonicalEmail(address);
  // The envelope of a mail needs SMTPUTF8 for other letters, which few servers have.
  if (canonical === undefined || /[^\0-\x7f]/.test(canonical)) {
    throw invalidRequest('params.address', 'must be an email address, as in support@example.com');
  }
  const server = parseSmtpUrl(url);
  if (!server) {
    const words = 'must be the address of an SMTP server, as in smtps://smtp.example.com or smtp://host:587';
    throw invalidRequest('params.url', words);
  }
  const oauth = readOAuth(given);
  const secretName = oauth ? 'clientSecret' : 'password';
  return {
    params: {
      url: formatServerUrl(server, SMTP),
      address: canonical,
      username: readCredential({ username }, 'username') ?? '',
      ...definedFields({
        imapUrl: readImapUrl(given.imapUrl),
        fromName: readName(given.fromName),
        signature: readSignature(given.signature),
        dkimSelector: readSelector(given.dkimSelector),
      }),
      ...oauth,
    },
    secretName,
    secret: readCredential(given, secretName),
    others: definedFields({ refreshToken: readCredential(given, 'refreshToken', MAX_TOKEN) }),
  };
}

function readOAuth(given: GivenParams): Pick<EmailParams, 'tokenUrl' | 'clientId' | 'scope'> | undefined {
  const { tokenUrl, clientId, password } = given;
  if (tokenUrl === undefined && clientId === undefined) {
    const other = (['clientSecret', 'refreshToken', 'scope'] as const).find((field) => given[field]);
    if (other) throw invalidRequest(`params.${other}`, 'needs clientId and tokenUrl');
    return undefined;
  }
  if (password !== undefined) throw invalidRequest('params.password', 'is not used with clientId');
  const url = readRequired(given, 'tokenUrl');
  if (!isTokenUrl(url)) {
    throw invalidRequest('params.tokenUrl', 'must be an https address without credentials');
  }
  readRequired(given, 'clientId');
  return {
    tokenUrl: url,
    clientId: readCredential(given, 'clientId') ?? '',
    ...definedFields({ scope: readCredential(given, 'scope')?.trim() || undefined }),
  };
}

/** The client secret is never sent in the clear to another machine. */
function isTokenUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || `${url.username}${url.password}${url.hash}` !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(readHost(url)));
}

function readRequired(given: GivenParams, field: keyof EmailParams): string {
  const text = given[field]?.trim();
  if (text === undefined || text === '') {
    const words = field === 'tokenUrl' || field === 'clientId' ? 'tokenUrl and clientId' : 'type email';
    throw invalidRequest(`params.${field}`, `is required for ${words}`);
  }
  return text;
}

function readCredential(
  given: GivenParams,
  field: 'username' | 'clientId' | 'scope' | Login | OtherSecret,
  max = MAX_CREDENTIAL,
): string | undefined {
  const text = given[field];
  if (text === undefined) return undefined;
  if (text === '' || text.length > max || CONTROL.test(text)) {
    throw invalidRequest(`params.${field}`, `must have 1 to ${max} characters in one line`);
  }
  return text;
}

function readName(given: string | undefined): string | undefined {
  const name = given?.trim();
  if (name === undefined || name === '') return undefined;
  if (name.length > MAX_NAME || CONTROL.test(name)) {
    throw invalidRequest('params.fromName', `must have at most ${MAX_NAME} characters in one line`);
  }
  return name;
}

function readSignature(given: string | undefined): string | undefined {
  const lines = given?.replace(/\r\n?/g, '\n').split('\n');
  if (lines?.some((line) => CONTROL.test(line.replaceAll('\t', '')))) {
    throw invalidRequest('params.signature', 'must have no control characters');
  }
  return (
    lines
      ?.map((line) => line.trimEnd())
      .join('\n')
      .trim() || undefined
  );
}

const SELECTOR = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function readSelector(given: string | undefined): string | undefined {
  const selector = given?.trim().toLowerCase();
  if (selector === undefined || selector === '') return undefined;
  if (!SELECTOR.test(selector)) {
    throw invalidRequest(
      'params.dkimSelector',
      'must have 1 to 63 letters, digits and hyphens, as in parlance',
    );
  }
  return selector;
}

function readImapUrl(given: string | undefined): string | undefined {
  const text = given?.trim();
  if (text === undefined || text === '') return undefined;
  const server = parseImapUrl(text);
  if (server) return formatServerUrl(server, IMAP);
  const words = 'must be the address of an IMAP server, as in imaps://imap.example.com or imap://host:143';
  throw invalidRequest('params.imapUrl', words);
}

export function parseSmtpUrl(text: string): MailServer | null {
  return parseServerUrl(text, SMTP);
}

export function parseImapUrl(text: string): MailServer | null {
  return parseServerUrl(text, IMAP);
}

function parseServerUrl(text: string, { schemes, ports }: MailProtocol): MailServer | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const at = schemes.findIndex((scheme) => url?.protocol === `${scheme}:`);
  if (!url || at < 0) return null;
  const { hostname, username, password, pathname, search, hash } = url;
  if (hostname === '' || /[\s%]/.test(hostname)) return null;
  if (`${username}${password}${search}${hash}` !== '' || !['', '/'].includes(pathname)) return null;
  const host = readHost(url);
  const port = url.port === '' ? Number(ports[at]) : Number(url.port);
  if (port === 0) return null;
  return { host, port, isSecure: at === 0, isLocal: isLoopback(host) };
}

function readHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function formatServerUrl({ host, port, isSecure }: MailServer, { schemes }: MailProtocol): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${isSecure ? schemes[0] : schemes[1]}://${name}:${port}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
