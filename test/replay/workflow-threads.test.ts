import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { historyOf } from '../support/histories.ts';

const built = (file: string) => new URL(`../../dist/${file}`, import.meta.url);
const require = createRequire(import.meta.url);

interface Threads {
  WorkerThreadClient: { prototype: { send: (input: { type: string }) => Promise<unknown> } };
  VMWorkflowThreadProxy: { prototype: object };
}

const { WorkerThreadClient, VMWorkflowThreadProxy } =
  require('@temporalio/worker/lib/workflow/threaded-vm') as Threads;

// What is changed there is the SDK's own and promised by nobody: another version may differ.
test('a history replays in the prepared workflow threads, which are hardly asked for sinks', async () => {
  const { sent, restore } = await prepared();
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const workflowBundle = { codePath: fileURLToPath(built('workflow-bundle.js')) };
  // Without it, replays are run by no thread; the type leaves the option out.
  const threaded = { debugMode: false };
  const text = await readFile(new URL('histories/0.1.0-blocked-1.json', import.meta.url), 'utf8');
  try {
    await Worker.runReplayHistory({ workflowBundle, ...threaded }, historyOf(text));
  } finally {
    restore();
  }
  const timesSent = (wanted: string) => sent.filter((type) => type === wanted).length;
  expect(timesSent('activate-workflow')).toBeGreaterThan(10);
  // A workflow's start and its end are lines of the log, which is a sink.
  expect(timesSent('extract-sink-calls')).toBeLessThanOrEqual(2);
});

/** The SDK as a worker prepares it, every message to its threads counted. */
async function prepared(): Promise<{ sent: string[]; restore: () => void }> {
  const { prepareWorkflowThreads } = (await import(built('worker/workflow-threads.js').href)) as {
    prepareWorkflowThreads: () => void;
  };
  const threads = require('node:worker_threads') as { Worker: unknown };
  const { Worker: ThreadBefore } = threads;
  const proxyBefore = Object.getOwnPropertyDescriptors(VMWorkflowThreadProxy.prototype);
  const { send } = WorkerThreadClient.prototype;
  const sent: string[] = [];
  prepareWorkflowThreads();
  WorkerThreadClient.prototype.send = function counted(input) {
    sent.push(input.type);
    return send.call(this, input);
  };
  return {
    sent,
    restore() {
      WorkerThreadClient.prototype.send = send;
      Object.defineProperties(VMWorkflowThreadProxy.prototype, proxyBefore);
      threads.Worker = ThreadBefore;
    },
  };
}
