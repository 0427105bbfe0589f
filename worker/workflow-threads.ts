import { createRequire } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { ActivationOutput } from './workflow-thread.ts';

const require = createRequire(import.meta.url);

const SDK = '@temporalio/worker/lib/workflow';
const SDK_THREAD = require.resolve(`${SDK}/workflow-worker-thread`);
const THREAD = new URL('./workflow-thread.js', import.meta.url);

/** A workflow as the SDK's main thread knows it: it runs in a workflow thread. */
interface WorkflowProxy {
  workerThreadClient: { send: (input: object) => Promise<unknown> };
  runId: string;
  /** Whether the latest activation called no sink. */
  calledNoSink?: boolean;
  activate: (activation: object) => Promise<object>;
  getAndResetSinkCalls: () => Promise<unknown[]>;
}

/**
 * Lowers what the SDK's workflow threads cost, in ways that it offers no options for
 * (docs/decisions/workflow-threads.md); call it before a worker is created. Its threads begin with
 * `workflow-thread.ts`, and are not asked for the calls of sinks where there are none.
 */
export function prepareWorkflowThreads(): void {
  const threads = require('node:worker_threads') as { Worker: typeof Worker };
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      if (file === SDK_THREAD) super(THREAD, { ...options, workerData: SDK_THREAD });
      else super(file, options);
    }
  };
  const { VMWorkflowThreadProxy } = require(`${SDK}/threaded-vm`) as {
    VMWorkflowThreadProxy: { prototype: WorkflowProxy };
  };
  askFewer(VMWorkflowThreadProxy.prototype);
}

function askFewer(proxy: WorkflowProxy): void {
  const { getAndResetSinkCalls } = proxy;
  proxy.activate = async function activate(this: WorkflowProxy, activation) {
    const input = { type: 'activate-workflow', activation, runId: this.runId };
    const output = (await this.workerThreadClient.send(input)) as ActivationOutput;
    this.calledNoSink = output.calledNoSink === true;
    return output.completion;
  };
  proxy.getAndResetSinkCalls = function spared(this: WorkflowProxy) {
    return this.calledNoSink ? Promise.resolve([]) : getAndResetSinkCalls.call(this);
  };
}
