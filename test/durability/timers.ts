import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';

/** The end of a workflow timer, in milliseconds since 1970. */
export interface Timer {
  /** Its duration after the start of the workflow task that set it. */
  earliest: number;
  /** Its duration after the end of that task. */
  latest: number;
}

/**
 * Returns the timers of all runs of a workflow. The workflow computes a duration during a task, so
 * the intended time lies between `earliest` and `latest`.
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
