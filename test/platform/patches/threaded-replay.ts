import { createRequire } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { bundleCode, built, replayHistory, sdkModule } from './replay.ts';

interface SdkThreads {
  WorkerThreadClient: { prototype: { send: (input: { type: string }) => Promise<unknown> } };
  VMWorkflowThreadProxy: { prototype: object };
}

/**
 * The files with which workflow threads started, and the number of messages of each type that were
 * sent to the threads.
 */
export interface ThreadedReplay {
  files: string[];
  timesSent: (type: string) => number;
}

/**
 * Replays a history in the SDK's workflow threads, with or without the patches for these threads.
 */
export async function threadedReplay({ patched }: { patched: boolean }): Promise<ThreadedReplay> {
  const files: string[] = [];
  const sent: string[] = [];
  const restore = record({ files, sent });
  try {
    if (patched) await applyPatches();
    await replayHistory({ code: await bundleCode() }, true);
  } finally {
    restore();
  }
  return { files, timesSent: (type) => sent.filter((one) => one === type).length };
}

async function applyPatches(): Promise<void> {
  const threads = (await import(built('platform/patches/start-patched-threads.js').href)) as {
    startPatchedThreads: () => void;
  };
  const sinks = (await import(built('platform/patches/empty-sink-calls.js').href)) as {
    skipEmptySinkCalls: () => void;
  };
  threads.startPatchedThreads();
  sinks.skipEmptySinkCalls();
}

/**
 * Records started threads and sent messages. The returned function stops the recording and removes
 * all patches.
 */
function record({ files, sent }: { files: string[]; sent: string[] }): () => void {
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
  const { WorkerThreadClient, VMWorkflowThreadProxy } = sdkModule('threaded-vm') as SdkThreads;
  const { Worker: OriginalWorker } = threads;
  const originalProxy = Object.getOwnPropertyDescriptors(VMWorkflowThreadProxy.prototype);
  const { send } = WorkerThreadClient.prototype;
  threads.Worker = class extends OriginalWorker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, options);
      files.push(String(file));
    }
  };
  WorkerThreadClient.prototype.send = function recorded(input) {
    sent.push(input.type);
    return send.call(this, input);
  };
  return () => {
    threads.Worker = OriginalWorker;
    WorkerThreadClient.prototype.send = send;
    Object.defineProperties(VMWorkflowThreadProxy.prototype, originalProxy);
  };
}
