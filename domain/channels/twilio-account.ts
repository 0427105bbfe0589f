import { invalidRequest, unprocessable } from '../errors.ts';
import { definedFields } from '../record-fields.ts';
import { TWILIO_URL } from './twilio.ts';

export interface TwilioParams {
  url: string;
  accountSid: string;
  number?: string;
  messagingServiceSid?: string;
}

type GivenParams = Partial<Record<keyof TwilioParams | 'authToken', string>>;

const ACCOUNT = /^AC[0-9a-f]{32}$/i;
const TOKEN = /^[\w-]{16,64}$/;
const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;
const NUMBER = /^(?:\+[1-9]\d{6,14}|\d{3,8})$/;

/** Throws DomainError `invalid_request` or `unprocessable` (spec 15.7). */
export function parseTwilioParams(given: GivenParams): {
  params: TwilioParams;
  authToken: string | undefined;
} {
  const accountSid = readField(given, 'accountSid', ACCOUNT, 'AC and 32 hexadecimal digits');
  const authToken = readField(given, 'authToken', TOKEN, 'the auth token of the account');
  const url = normalizeUrl(given.url ?? TWILIO_URL);
  if (accountSid === undefined) throw invalidRequest('params.accountSid', 'is required for type twilio');
  return { params: { url, accountSid, ...readSender(given) }, authToken };
}

function readSender(given: GivenParams): Pick<TwilioParams, 'number' | 'messagingServiceSid'> {
  const messagingServiceSid = readField(
    given,
    'messagingServiceSid',
    MESSAGING_SERVICE,
    'MG and 32 hexadecimal digits',
  );
  const plain = given.number?.replace(/[\s().\u2010-\u2015-]/g, '');
  const number = readField(
    definedFields({ number: plain }),
    'number',
    NUMBER,
    'a telephone number with its country, as in +31201234567',
  );
  if (number !== undefined && messagingServiceSid !== undefined) {
    throw unprocessable('a channel has a number or a messaging service', 'params.messagingServiceSid');
  }
  if (messagingServiceSid !== undefined) return { messagingServiceSid };
  if (number === undefined) throw invalidRequest('params.number', 'is required for type twilio');
  return { number };
}

function readField(
  given: GivenParams,
  field: keyof GivenParams,
  pattern: RegExp,
  words: string,
): string | undefined {
  const text = given[field]?.trim();
  if (text === undefined) return undefined;
  if (!pattern.test(text)) throw invalidRequest(`params.${field}`, `must be ${words}`);
  return text;
}

function normalizeUrl(url: string): string {
  return url.replace(/[/\s]+$/, '');
}
