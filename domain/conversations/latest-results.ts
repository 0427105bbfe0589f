import { jsonBytes } from '../free-form.ts';
import type { ConversationResult } from './conversation.ts';

/** Completed forms that a conversation keeps (spec 5.5). */
export const MAX_RESULTS = 1000;

/** Bytes, as JSON, of the completed forms that a conversation shows. */
export const MAX_RESULT_BYTES = 64 * 1024;

/**
 * Returns the latest completed forms that a conversation shows: at most `MAX_RESULTS` of
 * `MAX_RESULT_BYTES` together. Every event of the conversation repeats them.
 */
export function latestResults(results: readonly ConversationResult[] = []): ConversationResult[] {
  let bytes = 0;
  let first = results.length;
  while (first > 0 && results.length - first < MAX_RESULTS) {
    bytes += jsonBytes(results[first - 1]) + 1;
    if (bytes > MAX_RESULT_BYTES) break;
    first -= 1;
  }
  return results.slice(first);
}
