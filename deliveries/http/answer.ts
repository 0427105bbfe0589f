import { DomainError } from '../../domain/errors.ts';
import { refuseOversizedJson } from '../../domain/json-bounds.ts';

const KEPT_BYTES = 16 * 1024;

/**
 * Values in an answer that is read: a reply of 100 messages has fewer. A worker's one thread reads
 * the answers of all receivers.
 */
const MAX_VALUES = 10_000;

/** Where an answer cannot be read as JSON, what looks like a token is one. */
const TOKEN = /("token"\s*:\s*")[^"]*/g;

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
   * Its first 16 KiB as they are logged: no token is kept, and a character that the limit cuts in
   * two is left out.
   */
  text: string;
  /**
   * The reply that it is, or why it is none although it looks like one; null: most answers are
   * none.
   */
  reply: Reply | DomainError | null;
}

/** Reads what a receiver answered. What is more than 100 levels or 10,000 values is no reply. */
export function readAnswer(answer: Buffer): ReadAnswer {
  // An answer without one is not worth reading.
  if (!answer.includes('token')) return { text: firstOf(answer), reply: null };
  const value = parsed(answer.toString());
  if (value instanceof DomainError || !isObject(value) || !('token' in value)) {
    const text = firstOf(answer).replace(TOKEN, '$1[token]');
    return { text, reply: value instanceof DomainError && answer.includes('messages') ? value : null };
  }
  const { token, messages } = value as Partial<Record<keyof Reply, unknown>>;
  return {
    text: firstOf(Buffer.from(JSON.stringify({ ...value, token: '[token]' }))),
    reply: typeof token === 'string' && messages !== undefined ? { token, messages } : null,
  };
}

function firstOf(answer: Buffer): string {
  return new TextDecoder().decode(answer.subarray(0, KEPT_BYTES), { stream: true });
}

function parsed(text: string): unknown {
  try {
    refuseOversizedJson(text, MAX_VALUES);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof DomainError) return error;
    // Most answers are no JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
