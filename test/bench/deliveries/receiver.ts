import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver that says when each event came first; `answers: false` hangs for ever. */
export interface BenchReceiver {
  url: string;
  arrivedAt: Map<string, number>;
  /** The events that were answered, in the order they came. */
  answered: Set<string>;
  answers: boolean;
  /** How many came in all. */
  count: number;
  close: () => void;
}

/** One that does not remember what came can run for hours. */
export async function startBenchReceiver({ remembers = true } = {}): Promise<BenchReceiver> {
  const receiver: BenchReceiver = {
    ...{ url: '', arrivedAt: new Map(), answered: new Set(), answers: true, count: 0 },
    close: () => undefined,
  };
  const server = createServer((request, response) => {
    receiver.count += 1;
    const id = String(request.headers['webhook-id']);
    if (remembers && !receiver.arrivedAt.has(id)) receiver.arrivedAt.set(id, performance.now());
    if (remembers && receiver.answers) receiver.answered.add(id);
    request.resume();
    request.on('end', () => {
      if (receiver.answers) response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  receiver.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}
