import { inboundUrl } from '../../../application/channels/inbound.ts';
import { judgeAnswer } from '../../../domain/channels/twilio.ts';
import type { ChannelAccount, ConnectDeps, Connected } from '../contract.ts';
import { requestTwilio, toTwilioAnswer } from './request.ts';
import type { TwilioRequest, TwilioResponse } from './request.ts';

type Settings = Record<string, string>;

/** The webhook of a number or a messaging service. */
interface Webhook {
  name: string;
  takesMedia: boolean;
  url: string;
  urlField: 'SmsUrl' | 'InboundRequestUrl';
  settings: Settings;
  /** Beside the address. */
  own: Settings;
  change: (settings: Settings) => Promise<TwilioResponse>;
}

/** Makes Twilio repeat a post that failed. */
const REPEATED = '#rc=5&rp=all';

type Problem = Extract<Connected, { problem: string }>;

export async function connectTwilio(
  deps: ConnectDeps,
  account: ChannelAccount,
  { isDry }: { isDry: boolean },
): Promise<Connected> {
  const found = await requestTwilio(deps.webhooks, account, { path: '.json' });
  const problem = findAccountProblem(found);
  if (problem) return problem;
  const webhook = await findWebhook(deps, account);
  if ('problem' in webhook) return webhook;
  const own = inboundUrl(deps.publicUrl, account.id);
  const name = [found.body['friendly_name'], webhook.name]
    .filter((one) => typeof one === 'string')
    .join(', ');
  const { takesMedia } = webhook;
  if (isDry) return { name, takesMedia };
  const isOurs = withoutFragment(webhook.url) === own;
  const before = isOurs ? account.before : JSON.stringify(webhook.settings);
  const set = await webhook.change({ ...webhook.own, ...withUrl(webhook, `${own}${REPEATED}`) });
  const refusal = readProblem(set, "Twilio did not take the number's webhook");
  return refusal ?? { name, takesMedia, before };
}

export async function disconnectTwilio(deps: ConnectDeps, account: ChannelAccount): Promise<void> {
  const webhook = await findWebhook(deps, account);
  if ('problem' in webhook || withoutFragment(webhook.url) !== inboundUrl(deps.publicUrl, account.id)) return;
  const { before } = account;
  await webhook.change(before === undefined ? withUrl(webhook, '') : (JSON.parse(before) as Settings));
}

function withUrl({ urlField }: Webhook, url: string): Settings {
  return { [urlField]: url };
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

function findAccountProblem(response: TwilioResponse): Problem | null {
  const { status } = response.end;
  if (status === 401 || status === 403) {
    return { path: 'params.authToken', problem: 'Twilio does not accept this auth token for this account' };
  }
  if (status === 404) return { path: 'params.accountSid', problem: 'Twilio has no such account' };
  const problem = readProblem(response, 'Twilio could not be reached');
  if (problem) return problem;
  const { status: state } = response.body;
  if (state === 'active') return null;
  return {
    path: 'params.accountSid',
    problem: `the account is ${typeof state === 'string' ? state : 'unknown'} at Twilio`,
  };
}

function readProblem(response: TwilioResponse, words: string): Problem | null {
  const { status } = response.end;
  if (status !== undefined && status >= 200 && status < 300) return null;
  const judged = judgeAnswer(toTwilioAnswer(response));
  return { problem: `${words}: ${'reason' in judged ? judged.reason : ''}` };
}

async function findWebhook(deps: ConnectDeps, account: ChannelAccount): Promise<Webhook | Problem> {
  return account.params.messagingServiceSid === undefined
    ? findNumber(deps, account)
    : findMessagingService(deps, account, account.params.messagingServiceSid);
}

async function findNumber({ webhooks }: ConnectDeps, account: ChannelAccount): Promise<Webhook | Problem> {
  const { number = '' } = account.params;
  const path = '/IncomingPhoneNumbers';
  const request = (more: Partial<TwilioRequest>) =>
    requestTwilio(webhooks, account, { path: `${path}.json`, ...more });
  const response = await request({ query: { PhoneNumber: number } });
  const problem = readProblem(response, 'Parlance could not read the number from Twilio');
  if (problem) return problem;
  const all = response.body['incoming_phone_numbers'];
  const found = (Array.isArray(all) ? (all as Found[]) : []).find((one) => one['phone_number'] === number);
  if (!found) return { path: 'params.number', problem: 'is not a number of the account' };
  const application = readText(found, 'sms_application_sid');
  const capabilities = (found['capabilities'] ?? {}) as Record<string, unknown>;
  if (capabilities['sms'] !== true && capabilities['SMS'] !== true) {
    return { path: 'params.number', problem: 'cannot send and receive SMS' };
  }
  return {
    name: readText(found, 'friendly_name') || number,
    takesMedia: capabilities['mms'] === true || capabilities['MMS'] === true,
    url: readText(found, 'sms_url'),
    urlField: 'SmsUrl',
    settings: {
      SmsUrl: readText(found, 'sms_url'),
      SmsMethod: readText(found, 'sms_method') || 'POST',
      ...(application === '' ? {} : { SmsApplicationSid: application }),
    },
    // Twilio ignores the address of a number with an application.
    own: { SmsMethod: 'POST', ...(application === '' ? {} : { SmsApplicationSid: '' }) },
    change: (settings) =>
      request({ path: `${path}/${readText(found, 'sid')}.json`, form: Object.entries(settings) }),
  };
}

async function findMessagingService(
  { webhooks }: ConnectDeps,
  account: ChannelAccount,
  sid: string,
): Promise<Webhook | Problem> {
  const request = (more: Partial<TwilioRequest>) =>
    requestTwilio(webhooks, account, { path: `/Services/${sid}`, api: 'messaging', ...more });
  const response = await request({});
  if (response.end.status === 404) {
    return { path: 'params.messagingServiceSid', problem: 'is not a messaging service of the account' };
  }
  const problem = readProblem(response, 'Parlance could not read the messaging service from Twilio');
  if (problem) return problem;
  const { body } = response;
  return {
    name: readText(body, 'friendly_name') || sid,
    // Twilio sends a link where media are impossible.
    takesMedia: true,
    url: readText(body, 'inbound_request_url'),
    urlField: 'InboundRequestUrl',
    own: { InboundMethod: 'POST', UseInboundWebhookOnNumber: 'false' },
    settings: {
      InboundRequestUrl: readText(body, 'inbound_request_url'),
      InboundMethod: readText(body, 'inbound_method') || 'POST',
      UseInboundWebhookOnNumber: String(body['use_inbound_webhook_on_number'] === true),
    },
    change: (settings) => request({ form: Object.entries(settings) }),
  };
}

type Found = Record<string, unknown>;

function readText(found: Found, field: string): string {
  const value = found[field];
  return typeof value === 'string' ? value : '';
}
