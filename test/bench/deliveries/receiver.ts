import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A receiver that records the first arrival of each event. While `answers` is false, the receiver
 * does not respond.
 */
export interface BenchReceiver {
  url: string;
  arrivedAt: Map<string, number>;
  /** Ids of the answered events, in order of arrival. */
  answered: Set<string>;
  answers: boolean;
  count: number;
  close: () => void;
}

/**
 * With `remembers: false` the receiver records no arrivals, so its memory stays constant for hours.
 */
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
