import type { InboundEventInput, RetryBatch } from './contract.ts';
import { postEvent, transformEvent, retryNextEvents } from './proxies.ts';
import { continueAsNew, workflowInfo } from '@temporalio/workflow';

/**
 * Evaluates and posts a business event (spec 8). Both steps wait for outages to end. Returns the
 * cost in milliseconds (docs/decisions/event-admission.md).
 */
export async function inboundEvent(input: InboundEventInput): Promise<number> {
  const transformedMs = await transformEvent(input);
  const postedMs = await postEvent(input);
  return transformedMs + postedMs;
}

/**
 * Runs the selected business events again in the order of arrival (spec 8.3). Resumes after
 * crashes.
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
