import { ParlanceError, unreachableError } from './error.ts';
import { backoffMs, randomKey, wait } from './send.ts';
import type { ApiConnection } from './send.ts';
import { readResponse } from './stream.ts';
import type { BatchLine, BatchResult, CallOptions } from './types.ts';

export type BatchOptions = Pick<CallOptions, 'idempotencyKey' | 'signal'>;

/** See `Client.batch`. Leaves out the results that were yielded before a lost connection. */
export async function* runBatch(
  connection: ApiConnection,
  lines: readonly BatchLine[],
  { idempotencyKey = randomKey(), signal, headers }: BatchOptions & { headers: Record<string, string> },
): AsyncGenerator<BatchResult, void, undefined> {
  const request = {
    method: 'POST',
    path: '/batch',
    headers: { ...headers, 'content-type': 'application/x-ndjson', 'idempotency-key': idempotencyKey },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    signal,
  };
  let done = 0;
  let until: number | undefined;
  for (let attempt = 0; done < lines.length; attempt++) {
    try {
      let known = done;
      let begun = '';
      for await (const piece of readResponse(connection, request, { silenceMs: connection.timeoutMs })) {
        const texts = (begun + piece).split('\n');
        begun = texts.pop() ?? '';
        for (const text of texts) {
          signal?.throwIfAborted();
          if (known-- > 0) continue;
          [done, attempt, until] = [done + 1, 0, undefined];
          yield JSON.parse(text) as BatchResult;
        }
      }
      if (done < lines.length) throw unreachableError(connection.base, new Error('the response ended early'));
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ParlanceError) || !error.isTransient) throw error;
      until ??= Date.now() + connection.retryForMs;
      const waitMs = backoffMs(attempt, error.retryAfterSeconds);
      if (Date.now() + waitMs > until) throw error;
      await wait(waitMs, signal);
    }
  }
}
