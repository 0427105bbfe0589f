import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { disableVmTimeouts } from './disable-vm-timeouts.ts';
import { reportSinkCalls } from './empty-sink-calls.ts';

// Entry point of a workflow thread: patches the thread, then runs the SDK's own file.
disableVmTimeouts(Script.prototype);
if (parentPort) reportSinkCalls(parentPort);
createRequire(import.meta.url)(workerData as string);
