import { useEffect, useRef, useState } from 'preact/hooks';
import { liveTurn, waitUntilNeeded } from '../../components/live.ts';
import { createWatchdog } from '../../components/watchdog.ts';
import { waitMs } from '../../page/busy.ts';
import { openStream } from '../request.ts';
import { isEnded } from './filters.ts';

/** Matches the opening line and heartbeats. */
const SILENCE = /^(?:retry: \d+\n\n|: alive\n\n|event: heartbeat\ndata: \{\}\n\n)*$/;

/**
 * Calls `call` when conversations may have changed and after each reconnect (spec 5.12). Returns
 * whether the stream is disconnected.
 */
export function useChangeStream(call: () => void): boolean {
  const latest = useRef(call);
  latest.current = call;
  const [isDeaf, setDeaf] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    void keepReading({ look: () => latest.current(), setDeaf, signal: ended.signal });
    return () => ended.abort();
  }, []);
  return isDeaf;
}

interface ChangeStreamContext {
  look: () => void;
  setDeaf: (isDeaf: boolean) => void;
  signal: AbortSignal;
}

async function keepReading({ look, setDeaf, signal }: ChangeStreamContext): Promise<void> {
  for (let failures = 0; !isEnded(signal); failures += 1) {
    const heard = (piece: string) => {
      failures = 0;
      setDeaf(false);
      // Changes may have been missed before the stream opened.
      if (piece.startsWith('retry') || !SILENCE.test(piece)) look();
    };
    const poll = () => {
      look();
      return Promise.resolve();
    };
    try {
      const turn = await liveTurn(signal, { stream: (end) => readStream(end, heard), poll });
      if (turn === 'released') {
        failures = -1;
        continue;
      }
    } catch {
      if (!isEnded(signal)) setDeaf(true);
    }
    await waitUntilNeeded(signal, waitMs(failures));
  }
}

/** Rejects if the connection is dead. */
async function readStream(signal: AbortSignal, say: (piece: string) => void): Promise<void> {
  const silent = new AbortController();
  const watchdog = createWatchdog(() => silent.abort());
  try {
    const stream = await openStream('/conversations/stream', AbortSignal.any([signal, silent.signal]));
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      watchdog.seen();
      say(decoder.decode(piece.value, { stream: true }));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watchdog.stop();
  }
}
