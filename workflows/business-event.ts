import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, InboundEventInput, RetryBatch } from './contract.ts';

const untilDone = {
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', backoffCoefficient: 2 },
} as const;

// The timeout covers a slow expression and a busy store.
const { transformEvent, postEvent } = proxyActivities<Pick<Activities, 'transformEvent' | 'postEvent'>>({
  ...untilDone,
  startToCloseTimeout: '45s',
});

const { retryNextEvents } = proxyActivities<Pick<Activities, 'retryNextEvents'>>({
  ...untilDone,
  startToCloseTimeout: '60s',
  summary: 'running events again',
});

/**
 * Evaluates and posts a business event (spec 8). Both steps retry until outages end. Returns the
 * cost in milliseconds.
 */
export async function inboundEvent(input: InboundEventInput): Promise<number> {
  const transformedMs = await transformEvent(input);
  const postedMs = await postEvent(input);
  return transformedMs + postedMs;
}

/** Runs business events again in the order of arrival (spec 8.3). */
export async function retryEvents({ selection, after }: RetryBatch): Promise<void> {
  let at = after;
  do {
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof retryEvents>({ selection, after: at });
    at = (await retryNextEvents({ selection, after: at })) ?? undefined;
  } while (at);
}
