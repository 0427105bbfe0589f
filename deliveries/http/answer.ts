import { DomainError } from '../../domain/errors.ts';
import { assertJsonSize } from '../../domain/json-bounds.ts';
import { parseExactJson } from '../../application/schema/exact-json.ts';
import { blankTokens } from './blank-tokens.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { RawAnswer } from './decode-answer.ts';

const KEPT_BYTES = 16 * 1024;

/**
 * Values in an answer that is read: a reply of 100 messages has fewer. A worker's one thread reads
 * the answers of all receivers.
 */
const MAX_VALUES = 10_000;

/** A shorter token may be a word of the text. */
const MIN_TOKEN_CHARACTERS = 8;

/**
 * Messages that a receiver answers with, to be posted as the user of a token (spec 7). Nothing of
 * it has been checked.
 */
export interface Reply {
  token: string;
  messages: unknown;
}

/** An answer of a receiver, read once. */
export interface ParsedAnswer {
  /**
   * Its first 16 KiB as they are logged: without tokens, and without a character that the limit
   * cuts in two.
   */
  text: string;
  /** The reply, or why a reply cannot be read; null: the answer is not a reply, as most are not. */
  reply: Reply | DomainError | null;
}

/**
 * Reads the answer of a receiver. An answer of more than 100 levels or 10,000 values, or one that
 * cannot be decoded, is not a reply.
 */
export async function readAnswer(answer: RawAnswer): Promise<ParsedAnswer> {
  const { text, problem } = await decodeAnswer(answer);
  if (problem !== null)
    return { text: toLogText(text), reply: mayBeReply(answer) ? invalidAnswerError(problem) : null };
  // Most answers have no token, and need not be parsed.
  if (!text.includes('token') && !text.includes('\\u00')) return { text: toLogText(text), reply: null };
  const value = parseAnswer(text);
  if (!isObject(value) || !('token' in value))
    return { text: toLogText(text), reply: findFailure(text, value) };
  const { token, messages } = value as Partial<Record<keyof Reply, unknown>>;
  const shown = JSON.stringify({ ...value, token: '[token]' });
  return {
    text: toLogText(typeof token === 'string' ? redactToken(shown, token) : shown),
    reply: typeof token === 'string' && messages !== undefined ? { token, messages } : null,
  };
}

/** Whether an answer that cannot be decoded may be a reply. A compressed answer may be anything. */
function mayBeReply({ bytes, contentType = '', contentEncoding = '' }: RawAnswer): boolean {
  if (bytes.length === 0) return false;
  if (contentEncoding !== '' || /json/i.test(contentType)) return true;
  return bytes.toString('latin1').replaceAll('\0', '').includes('token');
}

function findFailure(text: string, value: unknown): DomainError | null {
  if (value instanceof DomainError) return text.includes('messages') ? value : null;
  const isCut = value === undefined && text.trimStart().startsWith('{') && text.includes('messages');
  return isCut ? invalidAnswerError('has a token and messages, but is not valid JSON') : null;
}

function invalidAnswerError(problem: string): DomainError {
  return new DomainError('invalid_request', `The answer ${problem}.`);
}

/** A receiver may repeat the token in another field. */
function redactToken(text: string, token: string): string {
  return token.length < MIN_TOKEN_CHARACTERS
    ? text
    : text.replaceAll(JSON.stringify(token).slice(1, -1), '[token]');
}

function toLogText(text: string): string {
  return truncateBytes(blankTokens(truncateBytes(text)));
}

function truncateBytes(text: string): string {
  const bytes = Buffer.from(text.slice(0, KEPT_BYTES));
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
}

/** Undefined: it is not JSON, as most answers are not. */
function parseAnswer(text: string): unknown {
  try {
    assertJsonSize(text, MAX_VALUES);
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof DomainError) return error;
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof DomainError);
}
