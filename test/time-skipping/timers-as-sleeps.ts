import { sleep } from '@temporalio/workflow';
import type {
  ActivityInput,
  Next,
  WorkflowInterceptors,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { AwaitTimerInput } from '../../workflows/contract.ts';

/** Waits for timers in the workflow: the test server does not skip the delay of a retry. */
export const interceptors = (): WorkflowInterceptors => ({ outbound: [{ scheduleActivity }] });

async function scheduleActivity(
  input: ActivityInput,
  next: Next<WorkflowOutboundCallsInterceptor, 'scheduleActivity'>,
): Promise<unknown> {
  if (input.activityType !== 'awaitTimer') return next(input);
  const [{ at }] = input.args as [AwaitTimerInput];
  return sleep(Math.max(1, Date.parse(at) - Date.now()));
}
