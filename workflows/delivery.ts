import {
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { DRAIN_REPORT_SIGNAL, PING_QUERY } from './contract.ts';
import type { DrainInput, DrainReport, FailingService } from './contract.ts';
import { drainDeliveries } from './proxies.ts';

const ping = defineQuery<boolean>(PING_QUERY);
const report = defineSignal<[DrainReport]>(DRAIN_REPORT_SIGNAL);

/**
 * Keeps the deliveries of one shard going, for ever: one long activity at a time sends them, and
 * reports how the shard stands (spec 11.2). Holds no state of its own: the queue is in the store.
 */
export async function delivery(input: DrainInput): Promise<never> {
  setHandler(ping, () => true);
  setHandler(report, show);
  while (!workflowInfo().continueAsNewSuggested) show(await drainDeliveries(input));
  return continueAsNew<typeof delivery>(input);
}

function show({ pending, held, oldest, failing }: DrainReport): void {
  const rows = [
    '| | |',
    '|---|---|',
    `| Pending | ${pending} |`,
    ...(held ? [`| Held back | ${held} |`] : []),
    ...(oldest ? [`| Oldest of | ${oldest} |`] : []),
    ...failing.map((one) => `| Service ${one.service} | ${failureOf(one)} |`),
  ];
  setCurrentDetails(rows.join('\n'));
}

function failureOf({ attempt, outcome, status, at, nextAt }: FailingService): string {
  const answered = status === undefined ? outcome : `${outcome} with ${status}`;
  return `attempt ${attempt} ${answered} at ${at}, ${nextAt ? `next at ${nextAt}` : 'given up'}`;
}
