import type { StreamOptions } from '@parlance/client';
import { follow, liveTurn, waitUntilNeeded } from '../../components/live.ts';
import { waitMs } from '../../page/busy.ts';

interface Connection {
  /** Rejects when the connection is lost. If `connect` resolves, it is called again. */
  connect: (connected: () => void) => Promise<void>;
  /** Returns whether to connect again. */
  lost: (error: Error) => boolean;
}

/** Calls `connect` until the signal aborts or `lost` returns false, with backoff after failures. */
export async function keepConnected(signal: AbortSignal, { connect, lost }: Connection): Promise<void> {
  // TypeScript would assume that `signal.aborted` stays false across an await.
  const isEnded = () => signal.aborted;
  for (let failures = 0; !isEnded();) {
    try {
      await connect(() => (failures = 0));
    } catch (error) {
      if (isEnded() || !lost(error as Error)) return;
      await waitUntilNeeded(waitMs(failures), follow(signal));
      failures += 1;
    }
  }
}

interface StreamTurn<E> {
  open: (options: StreamOptions) => AsyncIterable<E>;
  take: (event: E) => void;
  /** Called instead of `open` if the page is hidden or has no stream slot. */
  poll?: () => Promise<void>;
}

/** Rejects when the connection is lost. Otherwise resolves after one turn. */
export async function streamTurn<E>(signal: AbortSignal, { open, take, poll }: StreamTurn<E>): Promise<void> {
  const onReconnect = (error: Error) => {
    throw error;
  };
  await liveTurn(signal, {
    poll,
    async stream(end) {
      try {
        for await (const event of open({ signal: end, onReconnect })) take(event);
      } catch (error) {
        if (!end.aborted) throw error;
      }
    },
  });
}
