import { Client, Connection } from '@temporalio/client';

/** Connects to a Temporal server; rejects when none answers within ten seconds. A server that restarts later is found again within a second. */
export async function connectClient({
  address,
  namespace,
}: {
  address: string;
  namespace: string;
}): Promise<{ client: Client; connection: Connection }> {
  const connection = await Connection.connect({
    address,
    connectTimeout: '10s',
    // Retries are ours (insist.ts).
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  return { connection, client: new Client({ connection, namespace }) };
}
