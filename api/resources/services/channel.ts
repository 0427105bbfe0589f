import { buildDkim } from '../../../application/channels/dkim-key.ts';
import { inboundUrl, mailUrl } from '../../../application/channels/inbound.ts';
import { unsealSecret, unsealSecrets } from '../../../application/channels/secrets.ts';
import { createEncryption } from '../../../application/posting/encryption.ts';
import type { ChannelType } from '../../../domain/channels/channel-type.ts';
import { parseEmailParams } from '../../../domain/channels/email/account.ts';
import { formatMailAddress, signMailUrl } from '../../../domain/channels/email/proof.ts';
import { parseTwilioParams } from '../../../domain/channels/twilio-account.ts';
import { channelTouchpoints } from '../../../domain/conversations/touchpoint.ts';
import { formerSecretsAfter, parseSigningSecret } from '../../../domain/delivery/signing-secret.ts';
import { DomainError, invalidRequest, unprocessable } from '../../../domain/errors.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { findProvider } from '../../../deliveries/channels/providers.ts';
import { parseTarget } from '../../../deliveries/http/address.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import type { Api } from '../../request.ts';

type ChannelFields = Pick<
  ServiceDocument,
  | 'params'
  | 'touchpoint'
  | 'secrets'
  | 'sealed'
  | 'formerSecrets'
  | 'verifiedAs'
  | 'inboundUrl'
  | 'inboundAddress'
  | 'dkimRecord'
  | 'takesMedia'
>;

type Given = ServiceDocument['params'];

interface ParsedChannel {
  params: Given;
  touchpoint: string;
  secretName: string;
  secret: string | undefined;
  /** Further secrets by the names of their params. */
  others?: Readonly<Record<string, string>>;
}

const PARSERS: Readonly<Record<ChannelType, (given: Given, config: Api['config']) => ParsedChannel>> = {
  api(given, config) {
    const { url, secret, touchpoint } = given;
    if (url === undefined) throw invalidRequest('params.url', 'is required for type api');
    assertHttpUrl(url);
    if (touchpoint === undefined) throw invalidRequest('params.touchpoint', 'is required for type api');
    const codes = channelTouchpoints(config.touchpointCodes);
    if (!codes.includes(touchpoint)) {
      throw invalidRequest('params.touchpoint', `must be one of ${codes.join(', ')}`);
    }
    const parsed = secret === undefined ? undefined : parseSigningSecret(secret, 'params.secret');
    return { params: { url, touchpoint }, touchpoint, secretName: 'secret', secret: parsed };
  },
  twilio(given) {
    const { params, authToken } = parseTwilioParams(given);
    assertHttpUrl(params.url);
    return { params, touchpoint: 'sms', secretName: 'authToken', secret: authToken };
  },
  email(given) {
    return { ...parseEmailParams(given), touchpoint: 'email' };
  },
};

const PARAMS: Readonly<Record<ChannelType | 'webhook', readonly (keyof Given)[]>> = {
  webhook: ['url', 'secret', 'events'],
  api: ['url', 'secret', 'touchpoint'],
  twilio: ['url', 'accountSid', 'authToken', 'number', 'messagingServiceSid'],
  email: [
    ...([
      'url',
      'imapUrl',
      'address',
      'fromName',
      'signature',
      'dkimSelector',
      'username',
      'password',
    ] as const),
    ...(['tokenUrl', 'clientId', 'clientSecret', 'refreshToken', 'scope'] as const),
  ],
};

/** Throws DomainError `unprocessable` for a param of another type. */
export function assertOwnParams(given: Given, type: ChannelType | 'webhook'): void {
  const fields = Object.keys(definedFields(given)) as (keyof Given)[];
  const other = fields.find((field) => !PARAMS[type].includes(field));
  if (other !== undefined) throw unprocessable(`is not a param of type ${type}`, `params.${other}`);
}

/** Throws DomainError `invalid_request`. */
export function assertHttpUrl(url: string): void {
  try {
    parseTarget(url);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidRequest('params.url', 'must be an absolute http or https url');
  }
}

interface ChannelContext {
  id: string;
  type: ChannelType;
  api: Pick<Api, 'config' | 'webhooks'>;
  found?: ServiceDocument;
}

/**
 * Encrypts the secret. Throws DomainError `invalid_request` or `unprocessable`, also if the
 * provider refuses the account (spec 15.1, 15.7).
 */
export async function buildChannel(given: Given, context: ChannelContext): Promise<ChannelFields> {
  const { id, type, api, found } = context;
  const { config } = api;
  const { encrypt, decrypt, sign } = createEncryption(config.authSecret);
  const { mailDomain: domain } = config;
  assertOwnParams(given, type);
  const { params, touchpoint, secretName: name, secret: parsed, others } = PARSERS[type](given, config);
  const hasSameSecret = found?.secrets?.[0] === name;
  const stored = hasSameSecret ? unsealSecrets(found, decrypt) : undefined;
  const secret = parsed ?? stored?.params.secret;
  if (secret === undefined) throw invalidRequest(`params.${name}`, `is required for type ${type}`);
  const further = Object.entries(others ?? {}).map(([field, text]) => [field, encrypt(text)] as const);
  const sealed: Record<string, string> = { ...keptSecrets(params, found), ...Object.fromEntries(further) };
  const provider = findProvider(type);
  const connected = await provider?.connect(
    { webhooks: api.webhooks, publicUrl: config.publicUrl },
    { id, params, secret, refreshToken: unsealSecret({ sealed }, 'refreshToken', decrypt) },
    { isDry: true },
  );
  if (connected && 'problem' in connected && connected.path !== undefined) {
    throw unprocessable(connected.problem, connected.path);
  }
  if (connected && 'name' in connected && connected.refreshToken !== undefined) {
    sealed['refreshToken'] = encrypt(connected.refreshToken);
  }
  const { sealed: dkim, ...shown } = await buildDkim(params, found, { encrypt, decrypt });
  const formers = stored ? formerSecretsAfter(stored, secret, storeDate()) : [];
  const before = found && isSameSender(params, found.params) ? found.sealed?.['before'] : undefined;
  return {
    params,
    touchpoint,
    secrets: [name, ...Object.keys(sealed)],
    sealed: { ...sealed, [name]: encrypt(secret), ...dkim, ...definedFields({ before }) },
    formerSecrets: formers.map((former) => ({ ...former, secret: encrypt(former.secret) })),
    ...shown,
    ...(provider?.posts && { inboundUrl: inboundUrl(config.publicUrl, id) }),
    ...(type === 'email' && {
      inboundUrl: mailUrl(config.publicUrl, { service: id, signature: signMailUrl(id, sign) }),
      ...(domain !== undefined && {
        inboundAddress: formatMailAddress({ kind: 'channel', id }, { domain, sign }),
      }),
    }),
    ...(connected && 'name' in connected && { verifiedAs: connected.name, takesMedia: connected.takesMedia }),
  };
}

/** Returns the further secrets that a change of the params keeps. */
function keptSecrets(params: Given, found: ServiceDocument | undefined): Record<string, string> {
  const { refreshToken } = found?.sealed ?? {};
  const isSameClient = params.clientId !== undefined && params.clientId === found?.params.clientId;
  return isSameClient ? definedFields({ refreshToken }) : {};
}

export function isSameSender(params: Given, others: Given): boolean {
  const fields = ['url', 'accountSid', 'number', 'messagingServiceSid'] as const;
  return fields.every((field) => params[field] === others[field]);
}
