import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The network fault that a proxy simulates. */
export type Weather =
  | { kind: 'clear' }
  /** Delays all data, in order. */
  | { kind: 'slow'; delayMs: number }
  /** Holds all data until the fault changes; connections stay open. */
  | { kind: 'stalled' }
  /** Resets all existing and new connections. */
  | { kind: 'cut' };

/** A loopback proxy that simulates network faults between its clients and a server. */
export interface TcpProxy {
  port: number;
  /** Sets the fault for existing and new connections. */
  weather: (weather: Weather) => void;
  /** Holds all data of the open connections for ever. New connections work. */
  freeze: () => void;
  /** The largest number of connections that were open at once. */
  mostConnections: () => number;
  close: () => Promise<void>;
}

interface Way {
  from: Socket;
  to: Socket;
  held: { chunk: Buffer | null; at: number }[];
  timer: NodeJS.Timeout | undefined;
  isFrozen: boolean;
}

/** Listens on a free loopback port and forwards to `port`. */
export async function startTcpProxy({ port }: { port: number }): Promise<TcpProxy> {
  const ways = new Set<Way>();
  let weather: Weather = { kind: 'clear' };
  let most = 0;
  const delayMs = () => (weather.kind === 'slow' ? weather.delayMs : 0);

  function flow(way: Way): void {
    clearTimeout(way.timer);
    way.timer = undefined;
    while (weather.kind !== 'stalled' && !way.isFrozen) {
      const [first] = way.held;
      if (!first) return;
      const waitMs = first.at + delayMs() - performance.now();
      if (waitMs > 0) return void (way.timer = setTimeout(() => flow(way), waitMs));
      way.held.shift();
      if (first.chunk) way.to.write(first.chunk);
      else way.to.end();
    }
  }

  function open(from: Socket, to: Socket): void {
    const way: Way = { from, to, held: [], timer: undefined, isFrozen: false };
    ways.add(way);
    const take = (chunk: Buffer | null) => {
      way.held.push({ chunk, at: performance.now() });
      flow(way);
    };
    from.setNoDelay(true);
    from.on('data', take);
    from.on('end', () => take(null));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      clearTimeout(way.timer);
      ways.delete(way);
      to.destroy();
    });
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (weather.kind === 'cut') return void client.resetAndDestroy();
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    open(client, upstream);
    open(upstream, client);
    most = Math.max(most, ways.size / 2);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    mostConnections: () => Math.ceil(most),
    weather(next) {
      weather = next;
      for (const way of [...ways]) {
        if (next.kind === 'cut') way.from.resetAndDestroy();
        else flow(way);
      }
    },
    freeze() {
      for (const way of ways) way.isFrozen = true;
    },
    async close() {
      for (const { from } of [...ways]) from.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
