import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { spareWatchdogs } from './sparing-watchdogs.ts';

/** What a workflow thread of the SDK answers to an activation; the last field is ours. */
export interface ActivationOutput {
  type: 'activation-completion';
  completion: { runId: string };
  calledNoSink?: boolean;
}

interface SdkWorkflows {
  ReusableVMWorkflowCreator: {
    workflowByRunId: Map<string, { activator: { sinkCalls: unknown[] } }>;
  };
}

// What a workflow thread runs: the SDK's own file, with two changes (workflow-threads.ts).
const require = createRequire(import.meta.url);
spareWatchdogs(Script.prototype);
if (parentPort) tellOfSinks(parentPort);
require(workerData as string);

/** Says with each activation whether it called a sink, so that nobody has to ask. */
function tellOfSinks(port: MessagePort): void {
  const { workflowByRunId } = (require('@temporalio/worker/lib/workflow/reusable-vm') as SdkWorkflows)
    .ReusableVMWorkflowCreator;
  const post = port.postMessage.bind(port);
  port.postMessage = (message: { result?: { output?: object } }, ...more: []) => {
    const output = message.result?.output;
    if (output && isOfActivation(output)) {
      output.calledNoSink = workflowByRunId.get(output.completion.runId)?.activator.sinkCalls.length === 0;
    }
    post(message, ...more);
  };
}

function isOfActivation(output: object): output is ActivationOutput {
  return 'type' in output && output.type === 'activation-completion';
}
