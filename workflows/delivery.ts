import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DrainReport } from '../domain/delivery/drain-report.ts';
import { deliveryDetails, failingNames } from '../domain/operators/details.ts';
import { DRAIN_REPORT_SIGNAL, PING_QUERY, SEARCH_ATTRIBUTES } from './contract.ts';
import type { Activities, DrainInput } from './contract.ts';

const ping = defineQuery<boolean>(PING_QUERY);
const FAILING = defineSearchAttributeKey(SEARCH_ATTRIBUTES.failing, SearchAttributeType.KEYWORD_LIST);
const report = defineSignal<[DrainReport]>(DRAIN_REPORT_SIGNAL);

// Missing heartbeats reveal a crashed worker, and another worker takes over (spec 7.8).
const { drainDeliveries } = proxyActivities<Pick<Activities, 'drainDeliveries'>>({
  startToCloseTimeout: '3h',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '100ms', maximumInterval: '2s' },
  summary: 'sending webhooks',
});

/**
 * Sends the deliveries of one shard forever, by one long activity at a time (spec 11.2). Has no
 * state: the queue is in the store.
 */
export async function delivery(input: DrainInput): Promise<never> {
  setHandler(ping, () => true);
  const show = createView();
  setHandler(report, show);
  while (!workflowInfo().continueAsNewSuggested) show(await drainDeliveries(input));
  return continueAsNew<typeof delivery>(input);
}

function createView(): (report: DrainReport) => void {
  let shown: string | undefined;
  return (report) => {
    setCurrentDetails(deliveryDetails(report));
    const names = failingNames(report);
    if (!report.searchable || names.join() === shown) return;
    shown = names.join();
    upsertSearchAttributes([{ key: FAILING, value: names.length > 0 ? names : null }]);
  };
}
