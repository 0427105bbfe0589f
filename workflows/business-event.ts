import type { InboundEventInput } from './contract.ts';
import { postEvent, transformEvent } from './proxies.ts';

/**
 * One business event (spec 8): its expression is run, and what it gave is posted. Both wait out
 * whatever is down; the event's record says what became of it. Answers what that cost, in
 * milliseconds (docs/decisions/event-admission.md).
 */
export async function inboundEvent(input: InboundEventInput): Promise<number> {
  const transformedMs = await transformEvent(input);
  const postedMs = await postEvent(input);
  return transformedMs + postedMs;
}
