import type { InboundEventInput, RetryBatch } from './contract.ts';
import { postEvent, transformEvent, retryNextEvents } from './proxies.ts';
import { continueAsNew, workflowInfo } from '@temporalio/workflow';

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

/**
 * Runs a selection of business events again, one after the other in the order of their arrival
 * (spec 8.3). Whatever dies meanwhile, it goes on where it was.
 */
export async function retryEvents({ selection, after }: RetryBatch): Promise<void> {
  let at = after;
  do {
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof retryEvents>({ selection, ...(at ? { after: at } : {}) });
    }
    at = (await retryNextEvents({ selection, ...(at ? { after: at } : {}) })) ?? undefined;
  } while (at);
}
