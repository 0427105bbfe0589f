import { createRequire } from 'node:module';
import type { MessagePort } from 'node:worker_threads';

const SDK = '@temporalio/worker/lib/workflow';

const require = createRequire(import.meta.url);

/** The response of a workflow thread to an activation. The patch adds `calledNoSink`. */
interface ActivationOutput {
  type: 'activation-completion';
  completion: { runId: string };
  calledNoSink?: boolean;
}

interface SdkWorkflows {
  ReusableVMWorkflowCreator: {
    workflowByRunId: Map<string, { activator: { sinkCalls: unknown[] } }>;
  };
}

/** The main thread's proxy of a workflow that runs in a workflow thread. */
interface WorkflowProxy {
  workerThreadClient: { send: (input: object) => Promise<unknown> };
  runId: string;
  calledNoSink?: boolean;
  activate: (activation: object) => Promise<object>;
  getAndResetSinkCalls: () => Promise<unknown[]>;
}

/** Patches `postMessage` of a workflow thread's port for `skipEmptySinkCalls`. */
export function reportSinkCalls(port: MessagePort): void {
  const { workflowByRunId } = (require(`${SDK}/reusable-vm`) as SdkWorkflows).ReusableVMWorkflowCreator;
  const post = port.postMessage.bind(port);
  port.postMessage = (message: { result?: { output?: object } }, ...more: []) => {
    const output = message.result?.output;
    if (output && isActivationOutput(output)) {
      output.calledNoSink = workflowByRunId.get(output.completion.runId)?.activator.sinkCalls.length === 0;
    }
    post(message, ...more);
  };
}

function isActivationOutput(output: object): output is ActivationOutput {
  return 'type' in output && output.type === 'activation-completion';
}

/**
 * Patches `VMWorkflowThreadProxy.prototype` of the Temporal SDK: after an activation that called no
 * sink, the main thread does not request sink calls from the workflow thread. `reportSinkCalls` is
 * the other half, in the thread. Call this function before a Temporal worker is created.
 *
 * The request is a round trip after each activation, and our workflows rarely log
 * (docs/decisions/workflow-threads.md).
 *
 * Checked with @temporalio/worker 1.24.0 (test/platform/patches/empty-sink-calls.test.ts). No
 * upstream issue is known.
 */
export function skipEmptySinkCalls(): void {
  const { VMWorkflowThreadProxy } = require(`${SDK}/threaded-vm`) as {
    VMWorkflowThreadProxy: { prototype: WorkflowProxy };
  };
  const { prototype } = VMWorkflowThreadProxy;
  const { getAndResetSinkCalls } = prototype;
  prototype.activate = async function activate(this: WorkflowProxy, activation) {
    const input = { type: 'activate-workflow', activation, runId: this.runId };
    const output = (await this.workerThreadClient.send(input)) as ActivationOutput;
    this.calledNoSink = output.calledNoSink === true;
    return output.completion;
  };
  prototype.getAndResetSinkCalls = function withoutEmpty(this: WorkflowProxy) {
    return this.calledNoSink ? Promise.resolve([]) : getAndResetSinkCalls.call(this);
  };
}
