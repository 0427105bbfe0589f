import { Worker } from 'node:worker_threads';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { ReadMail } from './parse-mail.ts';

const TIMEOUT_MS = 30_000;
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
const THREAD = new URL('./parse-thread.js', import.meta.url);

/** One thread reads one mail at a time. */
const turns = new FairScheduler({ max: 1, maxEach: 1 });
let idle: Worker | undefined;

export class UnreadableMailError extends Error {}

/**
 * Reads a mail in a thread, with limits of time and memory. Rejects with `UnreadableMailError` if
 * the mail cannot be read: then the thread ends, and the next mail has a new thread.
 */
export function readMail(load: () => Promise<Buffer>, organization: string): Promise<ReadMail> {
  // One mail at a time is in memory.
  return turns.run(['all', organization], async () => runThread(await load()));
}

function runThread(raw: Buffer): Promise<ReadMail> {
  const thread = idle ?? new Worker(THREAD, { resourceLimits: LIMITS });
  idle = undefined;
  thread.removeAllListeners();
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      thread.removeAllListeners();
      thread.on('error', () => undefined);
      void thread.terminate();
      reject(new UnreadableMailError(reason));
    };
    const timer = setTimeout(
      fail,
      TIMEOUT_MS,
      `It takes longer than ${TIMEOUT_MS / 1_000} s to read the mail.`,
    );
    thread.on('error', (error: unknown) => fail(`The mail cannot be read: ${(error as Error).message}`));
    thread.on('exit', () => fail('The mail cannot be read.'));
    thread.on('message', (end: { mail: ReadMail } | { problem: string }) => {
      if ('problem' in end) {
        fail(`The mail cannot be read: ${end.problem}`);
        return;
      }
      clearTimeout(timer);
      rest(thread);
      resolve(end.mail);
    });
    thread.ref();
    thread.postMessage(raw);
  });
}

function rest(thread: Worker): void {
  const forget = () => {
    if (idle === thread) idle = undefined;
  };
  thread.removeAllListeners();
  thread.on('error', forget);
  thread.on('exit', forget);
  // An idle thread does not keep the process alive.
  thread.unref();
  idle = thread;
}
