import type { Bar } from '../channel-type.ts';
import type { Outcome } from '../outcome.ts';

/** How a mail, or a login, has failed. `replyCode` is absent if the server did not reply. */
export interface SmtpFailure {
  /** The step: MAIL, RCPT, DATA, AUTH, a refused access token, or the connection. */
  step: 'connection' | 'token' | 'auth' | 'sender' | 'recipient' | 'content';
  replyCode?: number | undefined;
  /** The reply of the server, else the cause of a missing reply. */
  text: string;
  /** The server may have taken the mail. */
  isUncertain?: boolean;
}

const THROTTLE_MS = 60_000;
const MAX_REASON = 500;

/** Codes of RFC 3463 for an address that takes no mail. */
export const DEAD_ADDRESSES = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1', '5.4.4'];
/** For servers without such codes. */
const DEAD_WORDS =
  /\b(?:unknown (?:user|recipient|mailbox)|user unknown|no such (?:user|recipient|mailbox|person)|does(?:n't| not) exist|mailbox (?:not found|unavailable|disabled)|invalid (?:recipient|mailbox))\b/i;
const RATE_WORDS = /\b(?:too (?:many|fast|much|quickly)|rate|throttl\w*|slow down|limit(?: exceeded)?)\b/i;

const ENHANCED = /^\s*(?:\d{3}[ -])?\s*([245]\.\d{1,3}\.\d{1,3})\b/;

/** Returns the outcome of a mail that was not taken (spec 15.10). */
export function judgeSmtp(failure: SmtpFailure): Outcome {
  const { step, replyCode, isUncertain } = failure;
  const reason = describeFailure(failure);
  if (step === 'content' && replyCode === undefined && !isUncertain) {
    return { is: 'refused', code: 'too_large', reason };
  }
  if (replyCode === undefined) {
    if (step === 'auth' || step === 'token') return { is: 'broken', reason };
    return { is: isUncertain ? 'uncertain' : 'retry', reason };
  }
  if (isTemporary(replyCode)) {
    return RATE_WORDS.test(failure.text)
      ? { is: 'throttled', afterMs: THROTTLE_MS, reason }
      : { is: 'retry', reason };
  }
  if (step === 'auth' || replyCode === 530 || replyCode === 535) return { is: 'broken', reason };
  const code = readEnhancedCode(failure.text) ?? String(replyCode);
  if (step === 'sender' && !isAboutSize(replyCode, code)) return { is: 'broken', reason };
  if (step === 'connection') return { is: 'retry', reason };
  const bar: Bar | undefined =
    step === 'recipient' && isDeadAddress(failure.text, code) ? 'unreachable' : undefined;
  return { is: 'refused', code, reason, bar };
}

/** 503 is about the order of commands: the mail may be accepted over another connection. */
function isTemporary(replyCode: number): boolean {
  return replyCode < 500 || replyCode === 503;
}

function isAboutSize(replyCode: number, code: string): boolean {
  return replyCode === 552 || code === '5.3.4' || code === '5.2.3';
}

/** Returns whether an address takes no mail, from a reply or a report of its server. */
export function isDeadAddress(text: string, code: string): boolean {
  return DEAD_ADDRESSES.includes(code) || (!code.includes('.') && DEAD_WORDS.test(text));
}

/** Returns the status code of RFC 3463 at the beginning of a reply. */
function readEnhancedCode(text: string): string | undefined {
  return ENHANCED.exec(text)?.[1];
}

const STEPS: Readonly<Record<SmtpFailure['step'], string>> = {
  connection: 'The SMTP server could not be used',
  token: 'The mail provider did not give an access token',
  auth: 'The SMTP server did not accept the login',
  sender: 'The SMTP server does not send mail from this address',
  recipient: 'The mail server did not accept the recipient',
  content: 'The mail server did not accept the mail',
};

export function describeFailure({ step, text }: Pick<SmtpFailure, 'step' | 'text'>): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON);
  return line === '' ? `${STEPS[step]}.` : `${STEPS[step]}: ${line}`;
}
