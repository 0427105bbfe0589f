import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { InboundEntry, InboundMedia } from '../../../application/channels/inbound.ts';
import { readOptOut } from '../../../domain/channels/opt-out.ts';
import { parseStatus } from '../../../domain/channels/twilio.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import type { ProviderPost, ProviderReceipt } from '../contract.ts';

/** Twilio leaves out or adds the port of the address in some regions (spec 15.9). */
export function isSignedByTwilio({ url, header, bytes }: ProviderPost, tokens: readonly string[]): boolean {
  const given = Buffer.from(header('X-Twilio-Signature'));
  const digest = new URL(url).searchParams.get('bodySHA256');
  const isJson = /json/i.test(header('Content-Type'));
  if (isJson && digest !== createHash('sha256').update(bytes).digest('hex')) return false;
  const signed = isJson ? '' : joinParameters(readForm(bytes));
  const expected = tokens.flatMap((token) =>
    listSpellings(url).map((address) =>
      createHmac('sha1', token)
        .update(address + signed)
        .digest('base64'),
    ),
  );
  // Compare all: the time must reveal no match.
  return expected.filter((one) => isSame(given, Buffer.from(one))).length > 0;
}

function joinParameters(form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  return names
    .map((name) =>
      [...new Set(form.getAll(name))]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('');
}

function listSpellings(url: string): string[] {
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)([^/:]+|\[[^\]]+\])(:\d+)?(.*)$/s.exec(url) ?? [];
  const usual = scheme === 'https://' ? ':443' : ':80';
  return [url, `${scheme}${host}${port === '' ? usual : ''}${rest}`];
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function readForm(bytes: Buffer): URLSearchParams {
  return new URLSearchParams(bytes.toString('utf8'));
}

const SID = /^[A-Z]{2}[0-9a-fA-F]{32}$/;
/** E.164, a short code, or a name. */
const SENDER = /^[\w+ .&-]{1,32}$/;
const MAX_MEDIA = 20;

export function parseTwilioMessage(bytes: Buffer): InboundEntry {
  const form = readForm(bytes);
  const id = form.get('MessageSid') ?? form.get('SmsMessageSid') ?? '';
  const from = form.get('From') ?? '';
  if (!SID.test(id)) throw new Error('The post has no MessageSid.');
  if (!SENDER.test(from))
    throw new Error(from === '' ? 'The post has no From.' : 'The sender (From) is not a telephone number.');
  const text = (form.get('Body') ?? '').replaceAll('\0', '');
  const media = readMediaList(form);
  if (text.trim() === '' && media.length === 0) throw new Error('The message has neither text nor media.');
  return {
    id,
    from: { id: from, telephone: from, ...definedFields({ optedOut: readChoice(form, text) }) },
    messages: text.trim() === '' ? [] : [{ text }],
    ...(media.length > 0 ? { media } : {}),
  };
}

function readChoice(form: URLSearchParams, text: string): boolean | undefined {
  const kind = form.get('OptOutType');
  if (kind === 'STOP' || kind === 'START') return kind === 'STOP';
  return kind === null || kind === '' ? readOptOut(text) : undefined;
}

function readMediaList(form: URLSearchParams): InboundMedia[] {
  const count = Math.min(Number(form.get('NumMedia') ?? 0) || 0, MAX_MEDIA);
  return Array.from({ length: count }, (_, at) => ({
    url: form.get(`MediaUrl${at}`) ?? '',
    type: form.get(`MediaContentType${at}`) ?? '',
  })).filter(({ url }) => URL.canParse(url));
}

/** The last of several parts reports the arrival of all, and any part reports a failure. */
export function parseTwilioReceipt({
  url,
  bytes,
}: Pick<ProviderPost, 'url' | 'bytes'>): ProviderReceipt | null {
  const form = readForm(bytes);
  const externalId = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  const receipt = parseStatus(form.get('MessageStatus') ?? '', form.get('ErrorCode') ?? '');
  if (!receipt || !SID.test(externalId)) return null;
  const { searchParams } = new URL(url);
  const isLast = searchParams.get('part') === searchParams.get('of');
  return isLast || receipt.status === 'failed' ? { ...receipt, externalId } : null;
}
