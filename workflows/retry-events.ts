import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RetryBatch } from './contract.ts';
import { retryNextEvents } from './proxies.ts';

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
