import { connect } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPT_MS = 1_000;
const POLL_MS = 100;
const DESCRIBE = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';

/** Rejects when `signal` is aborted. */
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
 * Returns whether the server at `host:port`, without TLS, has the namespace. Never rejects and
 * takes about a second at most.
 *
 * Sends the gRPC call by hand: the library would keep 30 MB in the supervisor, which needs it for
 * nothing else.
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

function namespaceField(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const length = name.length < 0x80 ? [name.length] : [(name.length & 0x7f) | 0x80, name.length >> 7];
  return Buffer.concat([Buffer.from([0x0a, ...length]), name]);
}

/** Adds the gRPC header: uncompressed, with its length. */
function frameMessage(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
