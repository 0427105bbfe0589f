import { MAX_MESSAGES } from './message.ts';

/**
 * The messages that a button's payload consists of: it is the JSON of a message or of 1 to 100 of
 * them (spec 6.1). Null if it is anything else, which is no fault. They are nobody's checked input:
 * the caller checks them like a request body.
 */
export function payloadMessages(payload: string): Record<string, unknown>[] | null {
  if (!/^\s*[[{]/.test(payload)) return null;
  const parsed = parsedOrNull(payload);
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length < 1 || messages.length > MAX_MESSAGES) return null;
  return messages.every(isMessage) ? messages : null;
}

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}
