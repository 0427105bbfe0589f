import { parentPort } from 'node:worker_threads';
import { parseMail } from './parse-mail.ts';

parentPort?.on('message', (raw: Uint8Array) => {
  parseMail(Buffer.from(raw)).then(
    (mail) => parentPort?.postMessage({ mail }),
    (error: unknown) => parentPort?.postMessage({ problem: (error as Error).message }),
  );
});
