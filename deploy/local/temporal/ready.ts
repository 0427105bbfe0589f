import { connect } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPT_MS = 1_000;
const POLL_MS = 100;
const DESCRIBE = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/** Waits until the server, one of ours, answers. Rejects when `signal` is aborted. */
export async function waitForTemporal(options: {
  address: string;
  namespace: string;
  signal: AbortSignal;
}): Promise<void> {
  while (!(await knowsNamespace(options.address, options.namespace))) {
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}

/**
 * Whether the server at an address (`host:port`, without TLS) knows the namespace now. Never
 * rejects, and takes about a second at most.
 *
 * One call of gRPC by hand: its library would stay with 30 MB in the process that watches over all
 * others, which has no other use for it.
 */
export function knowsNamespace(address: string, namespace: string): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    const end = (isKnown: boolean) => {
      resolve(isKnown);
      session.destroy();
    };
    session.setTimeout(ATTEMPT_MS, () => end(false));
    session.on('error', () => end(false));
    const call = session.request({
      ':method': 'POST',
      ':path': DESCRIBE,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => end(false));
    call.on('close', () => end(false));
    call.on('trailers', (trailers: IncomingHttpHeaders) => end(trailers['grpc-status'] === '0'));
    call.resume();
    call.end(frameMessage(namespaceField(namespace)));
  });
}

/** The one field of the request that names a namespace. */
function namespaceField(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const length = name.length < 0x80 ? [name.length] : [(name.length & 0x7f) | 0x80, name.length >> 7];
  return Buffer.concat([Buffer.from([0x0a, ...length]), name]);
}

/** A message as gRPC sends it: not compressed, and how long it is. */
function frameMessage(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
