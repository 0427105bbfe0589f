import { TWILIO_URL } from '../../../domain/channels/twilio.ts';
import type { TwilioAnswer } from '../../../domain/channels/twilio.ts';
import { parseOrNull, toFields } from '../../../domain/json.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { decodeAnswer, readAnswer } from '../../http/answer.ts';
import type { WebhookClient } from '../../http/client.ts';
import { describeFailure } from '../../http/exchange.ts';
import type { Exchange } from '../../http/exchange.ts';

export interface TwilioAccount {
  params: ServiceDocument['params'];
  secret: string;
}

/** `log` has no tokens. */
export interface TwilioResponse {
  end: Exchange;
  body: Record<string, unknown>;
  log: string;
}

export interface TwilioRequest {
  /** Below the account. */
  path: string;
  query?: Record<string, string>;
  form?: readonly [string, string][];
  api?: 'messaging';
  signal?: AbortSignal | undefined;
}

export async function requestTwilio(
  webhooks: Pick<WebhookClient, 'requestProvider'>,
  { params, secret }: TwilioAccount,
  { path, query, form, api, signal }: TwilioRequest,
): Promise<TwilioResponse> {
  const { accountSid = '', url = TWILIO_URL } = params;
  const base = api === undefined ? `${url}/2010-04-01/Accounts/${accountSid}` : messagingUrl(url);
  const search = query ? `?${new URLSearchParams(query).toString()}` : '';
  const end = await webhooks.requestProvider({
    url: `${base}${path}${search}`,
    method: form ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      authorization: basicAuthorization({ params, secret }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
    signal,
  });
  const answer = end.answer ?? { bytes: Buffer.alloc(0) };
  const [{ text }, { text: log }] = await Promise.all([decodeAnswer(answer), readAnswer(answer, [secret])]);
  return { end, log, body: toFields(parseOrNull(text)) };
}

export function basicAuthorization({ params: { accountSid = '' }, secret }: TwilioAccount): string {
  return `Basic ${Buffer.from(`${accountSid}:${secret}`).toString('base64')}`;
}

/** Twilio has a host per API. Another server has one host. */
function messagingUrl(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host.endsWith('.twilio.com') ? host.replace(/^api\./, 'messaging.') : host}/v1`;
}

export function toTwilioAnswer({ end, body }: Pick<TwilioResponse, 'end' | 'body'>): TwilioAnswer {
  const { status, retryAfterSeconds } = end;
  const { code, message, sid } = body;
  return {
    status,
    retryAfterSeconds,
    code: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : describeFailure(end),
    sid: typeof sid === 'string' ? sid : undefined,
  };
}
