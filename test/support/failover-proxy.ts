import { connect, createServer } from 'node:net';
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net';
import type { Document } from 'bson';
import { encodeReply, parseBody, eachMessage, isCommand } from './wire-messages.ts';

const WRITES: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

/**
 * Faults of a write during a failover: a secondary refuses the write; the primary steps down; the
 * connection is cut before the write arrives, or after the write was applied; the write is applied,
 * but not confirmed by a majority in time.
 */
export const WRITE_FAULTS = ['notPrimary', 'steppedDown', 'cutBefore', 'cutAfter', 'noMajority'] as const;
export type WriteFault = (typeof WRITE_FAULTS)[number];

const REFUSALS: Partial<Record<WriteFault, Document>> = {
  notPrimary: { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' },
  steppedDown: { ok: 0, code: 189, codeName: 'PrimarySteppedDown', errmsg: 'Primary stepped down' },
};
const NO_MAJORITY = {
  code: 64,
  codeName: 'WriteConcernTimeout',
  errmsg: 'waiting for replication timed out',
};

export interface FailoverProxy {
  port: number;
  happened: Record<WriteFault, number>;
  /** Write concerns seen so far, by collection. */
  concerns: ReadonlyMap<string, Set<string>>;
  /** Applies the next fault to every `every`th write from now on. 0 disables faults. */
  disturb: (every: number) => void;
  close: () => Promise<void>;
}

/** Listens on a free loopback port and forwards to the MongoDB at `address`. */
export async function startFailoverProxy(address: NetConnectOpts): Promise<FailoverProxy> {
  const happened = { notPrimary: 0, steppedDown: 0, cutBefore: 0, cutAfter: 0, noMajority: 0 };
  const concerns = new Map<string, Set<string>>();
  const sockets = new Set<Socket>();
  let every = 0;
  let writes = 0;

  function chooseFault(command: Document): WriteFault | undefined {
    const [name = ''] = Object.keys(command);
    if (!WRITES.has(name)) return undefined;
    const seen = concerns.get(String(command[name])) ?? new Set();
    concerns.set(String(command[name]), seen.add(JSON.stringify(command['writeConcern'] ?? {})));
    writes += 1;
    if (every === 0 || writes % every !== 0) return undefined;
    const fault = WRITE_FAULTS[(writes / every) % WRITE_FAULTS.length];
    if (fault) happened[fault] += 1;
    return fault;
  }

  const server = createServer((client) => {
    const upstream = connect(address);
    const faults = new Map<number, WriteFault>();
    const cut = () => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true));
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          cut();
        });
    }
    eachMessage(client, (message) => {
      const request = message.readInt32LE(4);
      const fault = isCommand(message) ? chooseFault(parseBody(message)) : undefined;
      const refusal = fault && REFUSALS[fault];
      if (fault === 'cutBefore') cut();
      else if (refusal) client.write(encodeReply(request, refusal));
      else upstream.write(message);
      if (fault === 'cutAfter' || fault === 'noMajority') faults.set(request, fault);
    });
    eachMessage(upstream, (message) => {
      const request = message.readInt32LE(8);
      const fault = faults.get(request);
      faults.delete(request);
      if (fault === 'cutAfter') cut();
      else if (fault === undefined) client.write(message);
      else client.write(encodeReply(request, { ...parseBody(message), writeConcernError: NO_MAJORITY }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    happened,
    concerns,
    disturb(times) {
      every = times;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
