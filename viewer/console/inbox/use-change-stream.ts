import { useEffect, useRef, useState } from 'preact/hooks';
import { waitMs } from '../../page/wait.ts';
import { openStream } from '../request.ts';
import { isEnded } from './ended.ts';

/** The stream says every fifteen seconds that it lives. */
const SILENT_MS = 45_000;
/** What says nothing: the opening, and that the stream lives. */
const SILENCE = /^(?:retry: \d+\n\n|: alive\n\n)*$/;

/**
 * Calls back when conversations may have changed, and whenever it listens anew (spec 5.12). Answers
 * whether it hears nothing at the moment.
 */
export function useChangeStream(call: () => void): boolean {
  const latest = useRef(call);
  latest.current = call;
  const [isDeaf, setDeaf] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    void stay({ look: () => latest.current(), setDeaf, signal: ended.signal });
    return () => ended.abort();
  }, []);
  return isDeaf;
}

interface Staying {
  look: () => void;
  setDeaf: (isDeaf: boolean) => void;
  signal: AbortSignal;
}

async function stay({ look, setDeaf, signal }: Staying): Promise<void> {
  for (let failures = 0; !isEnded(signal); failures += 1) {
    try {
      await hear(signal, (piece) => {
        failures = 0;
        setDeaf(false);
        // Who has just begun to listen may have missed something.
        if (piece.startsWith('retry') || !SILENCE.test(piece)) look();
      });
    } catch {
      if (!isEnded(signal)) setDeaf(true);
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs(failures)));
  }
}

/** Resolves when the stream is over; rejects where it says nothing for long. */
async function hear(signal: AbortSignal, say: (piece: string) => void): Promise<void> {
  const silent = new AbortController();
  const giveUp = () => setTimeout(() => silent.abort(), SILENT_MS);
  let timer = giveUp();
  try {
    const stream = await openStream('/conversations/stream', AbortSignal.any([signal, silent.signal]));
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(timer);
      timer = giveUp();
      say(decoder.decode(piece.value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}
