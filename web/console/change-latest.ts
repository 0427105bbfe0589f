import { ParlanceError } from '@parlance/client';

const MAX_TRIES = 5;

interface LatestChange<T, C> {
  read: () => Promise<{ body: T; headers: Headers }>;
  /** Returns undefined if nothing is to change. An error ends the change. */
  change: (stored: T) => C | undefined;
  /** Writes with these headers, so that only the version that was read is changed. */
  write: (change: C, headers: Record<string, string>) => Promise<T>;
}

/**
 * Changes the newest version of a record, and returns the record. Repeats all steps if the record
 * has changed between reading and writing.
 */
export async function changeLatest<T, C>({ read, change, write }: LatestChange<T, C>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const { body, headers } = await read();
    const changed = change(body);
    if (changed === undefined) return body;
    const etag = headers.get('etag');
    try {
      return await write(changed, etag === null ? {} : { 'if-match': etag });
    } catch (error) {
      const isOutdated = error instanceof ParlanceError && error.status === 412;
      if (!isOutdated || tries === MAX_TRIES) throw error;
    }
  }
}
