import { Worker } from 'node:worker_threads';
import type { ResourceLimits } from 'node:worker_threads';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { ReadMail } from './parse-mail.ts';

interface ReaderOptions {
  /** A program that parses mails, as `parse-thread.ts` does. */
  thread: URL;
  timeoutMs: number;
  memory: ResourceLimits;
}

export class UnreadableMailError extends Error {}

/** Reads one mail at a time in a thread, with limits of time and memory. */
export class MailReader {
  readonly #options: ReaderOptions;
  readonly #turns = new FairScheduler({ max: 1, maxEach: 1 });
  #idle: Worker | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /**
   * Rejects with `UnreadableMailError` if the mail cannot be read: then the thread ends, and the
   * next mail has a new thread.
   */
  read(load: () => Promise<Buffer>, organization: string): Promise<ReadMail> {
    return this.#turns.run(['all', organization], async () => this.#runThread(await load()));
  }

  #runThread(raw: Buffer): Promise<ReadMail> {
    const { thread: program, timeoutMs, memory } = this.#options;
    const thread = this.#idle ?? new Worker(program, { resourceLimits: memory });
    this.#idle = undefined;
    thread.removeAllListeners();
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        clearTimeout(timer);
        thread.removeAllListeners();
        thread.on('error', () => undefined);
        void thread.terminate();
        reject(new UnreadableMailError(reason));
      };
      const late = `It takes longer than ${timeoutMs / 1_000} s to read the mail.`;
      const timer = setTimeout(fail, timeoutMs, late);
      thread.on('error', (error: unknown) => fail(`The mail cannot be read: ${(error as Error).message}`));
      thread.on('exit', () => fail('The mail cannot be read.'));
      thread.on('message', (end: { mail: ReadMail } | { problem: string }) => {
        if ('problem' in end) {
          fail(`The mail cannot be read: ${end.problem}`);
          return;
        }
        clearTimeout(timer);
        this.#rest(thread);
        resolve(end.mail);
      });
      thread.ref();
      thread.postMessage(raw);
    });
  }

  #rest(thread: Worker): void {
    const forget = () => {
      if (this.#idle === thread) this.#idle = undefined;
    };
    thread.removeAllListeners();
    thread.on('error', forget);
    thread.on('exit', forget);
    // An idle thread does not keep the process alive.
    thread.unref();
    this.#idle = thread;
  }
}

const reader = new MailReader({
  thread: new URL('./parse-thread.js', import.meta.url),
  timeoutMs: 30_000,
  memory: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
});

/** Reads a mail in the thread of this process. Rejects with `UnreadableMailError`. */
export function readMail(load: () => Promise<Buffer>, organization: string): Promise<ReadMail> {
  return reader.read(load, organization);
}
