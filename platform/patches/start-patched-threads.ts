import { createRequire } from 'node:module';
import type { Worker, WorkerOptions } from 'node:worker_threads';

const require = createRequire(import.meta.url);

const SDK_THREAD = require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
const PATCHED_THREAD = new URL('./workflow-thread.js', import.meta.url);

/**
 * Patches `Worker` of `node:worker_threads`: the Temporal SDK's workflow threads start with
 * `workflow-thread.ts`, because a thread inherits no patches and the SDK has no option for its
 * file. Call before a Temporal worker is created.
 *
 * Checked with @temporalio/worker 1.24.0 and Node 20
 * (test/platform/patches/start-patched-threads.test.ts). No upstream issue is known.
 */
export function startPatchedThreads(): void {
  const threads = require('node:worker_threads') as { Worker: typeof Worker };
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      if (file === SDK_THREAD) super(PATCHED_THREAD, { ...options, workerData: SDK_THREAD });
      else super(file, options);
    }
  };
}
