import { createServer as createHttp2Server } from 'node:http2';
import { connect, createServer } from 'node:net';
import type { AddressInfo, NetConnectOpts, Server } from 'node:net';
import { temporal } from '@temporalio/proto';
import { encodeReply, parseBody, eachMessage, isCommand } from './wire-messages.ts';

const UNIMPLEMENTED = 12;

interface OldServer {
  port: number;
  close: () => void;
}

/** Starts a proxy that forwards to the MongoDB at `address` but reports the given version. */
export async function startOldMongodb(version: string, address: NetConnectOpts): Promise<OldServer> {
  const server = createServer((client) => {
    const upstream = connect(address);
    client.pipe(upstream);
    eachMessage(upstream, (message) => {
      const body = isCommand(message) ? parseBody(message) : {};
      const isBuildInfo = 'version' in body && 'gitVersion' in body;
      client.write(isBuildInfo ? encodeReply(message.readInt32LE(8), { ...body, version }) : message);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  return listening(server);
}

/** Starts a Temporal server that reports the given version and does nothing else. */
export async function startOldTemporal(serverVersion: string): Promise<OldServer> {
  const { GetSystemInfoResponse } = temporal.api.workflowservice.v1;
  const said = Buffer.from(GetSystemInfoResponse.encode({ serverVersion, capabilities: {} }).finish());
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(said.length, 1);
  const server = createHttp2Server();
  server.on('stream', (call, headers) => {
    const knows = headers[':path']?.endsWith('/GetSystemInfo');
    const type = { 'content-type': 'application/grpc' };
    if (!knows) {
      call.respond({ ...type, 'grpc-status': UNIMPLEMENTED }, { endStream: true });
      return;
    }
    call.respond(type, { waitForTrailers: true });
    call.on('wantTrailers', () => call.sendTrailers({ 'grpc-status': 0 }));
    call.end(Buffer.concat([frame, said]));
  });
  return listening(server);
}

async function listening(server: Server): Promise<OldServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
