import { DomainError } from '../../domain/errors.ts';
import { refuseOversizedJson } from '../../domain/json-bounds.ts';
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
export interface ReadAnswer {
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
export async function readAnswer(answer: RawAnswer): Promise<ReadAnswer> {
  const { text, problem } = await decodeAnswer(answer);
  if (problem !== null) return { text: logged(text), reply: maybeReply(answer) ? refused(problem) : null };
  // Most answers have no token, and need not be parsed.
  if (!text.includes('token') && !text.includes('\\u00')) return { text: logged(text), reply: null };
  const value = parsed(text);
  if (!isObject(value) || !('token' in value)) return { text: logged(text), reply: failureIn(text, value) };
  const { token, messages } = value as Partial<Record<keyof Reply, unknown>>;
  const shown = JSON.stringify({ ...value, token: '[token]' });
  return {
    text: logged(typeof token === 'string' ? withoutEchoes(shown, token) : shown),
    reply: typeof token === 'string' && messages !== undefined ? { token, messages } : null,
  };
}

/** Whether an answer that cannot be decoded may be a reply. A compressed answer may be anything. */
function maybeReply({ bytes, contentType = '', contentEncoding = '' }: RawAnswer): boolean {
  if (bytes.length === 0) return false;
  if (contentEncoding !== '' || /json/i.test(contentType)) return true;
  return bytes.toString('latin1').replaceAll('\0', '').includes('token');
}

function failureIn(text: string, value: unknown): DomainError | null {
  if (value instanceof DomainError) return text.includes('messages') ? value : null;
  const isCut = value === undefined && text.trimStart().startsWith('{') && text.includes('messages');
  return isCut ? refused('has a token and messages, but is not valid JSON') : null;
}

function refused(problem: string): DomainError {
  return new DomainError('invalid_request', `The answer ${problem}.`);
}

/** A receiver may repeat the token in another field. */
function withoutEchoes(text: string, token: string): string {
  return token.length < MIN_TOKEN_CHARACTERS
    ? text
    : text.replaceAll(JSON.stringify(token).slice(1, -1), '[token]');
}

function logged(text: string): string {
  return firstOf(blankTokens(firstOf(text)));
}

function firstOf(text: string): string {
  const bytes = Buffer.from(text.slice(0, KEPT_BYTES));
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true });
}

/** Undefined: it is not JSON, as most answers are not. */
function parsed(text: string): unknown {
  try {
    refuseOversizedJson(text, MAX_VALUES);
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
