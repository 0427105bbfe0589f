import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';

/** The time at which a workflow timer is set to end, in milliseconds since 1970. */
export interface Timer {
  /** The start of the workflow task that set the timer, plus the timer's duration. */
  earliest: number;
  /** The end of the workflow task that set the timer, plus the timer's duration. */
  latest: number;
}

/**
 * Returns the timers of all runs of a workflow. The workflow computes a duration during a workflow
 * task, so the intended end lies between `earliest` and `latest`.
 */
export async function readTimers(temporal: Client, workflowId: string): Promise<Timer[]> {
  const timers: Timer[] = [];
  let runId: string | undefined = (await temporal.workflow.getHandle(workflowId).describe()).runId;
  while (runId) {
    const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    let begun = 0;
    for (const { eventTime, timerStartedEventAttributes, workflowTaskStartedEventAttributes } of events ??
      []) {
      if (workflowTaskStartedEventAttributes) begun = tsToMs(eventTime);
      if (!timerStartedEventAttributes) continue;
      const duration = tsToMs(timerStartedEventAttributes.startToFireTimeout);
      timers.push({ earliest: begun + duration, latest: tsToMs(eventTime) + duration });
    }
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  }
  return timers;
}
