export interface BatcherOptions<T, R> {
  /** Resolves to one result per item, in order. */
  write: (items: T[]) => Promise<readonly R[]>;
  maxItems: number;
  /** Longest wait for the batch in progress. Default: until the batch ends. */
  maxWaitMs?: number;
}

interface PendingItem<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a function that queues an item and resolves to its result. Items that arrive during a
 * write share the next write. A rejected write rejects all its items.
 */
export function createBatcher<T, R>({
  write,
  maxItems,
  maxWaitMs,
}: BatcherOptions<T, R>): (item: T) => Promise<R> {
  const waiting: PendingItem<T, R>[] = [];
  let underWay = 0;
  let late: NodeJS.Timeout | undefined;

  function writeAll(): void {
    clearTimeout(late);
    late = undefined;
    while (waiting.length > 0) {
      underWay += 1;
      void writeBatch(write, waiting.splice(0, maxItems)).then(() => {
        underWay -= 1;
        if (underWay === 0) writeAll();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay === 0) writeAll();
      else if (maxWaitMs !== undefined) late ??= setTimeout(writeAll, maxWaitMs);
    });
}

async function writeBatch<T, R>(
  write: BatcherOptions<T, R>['write'],
  batch: PendingItem<T, R>[],
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item));
    if (results.length < batch.length) throw new Error('A batch returned too few results.');
    results.forEach((result, at) => batch[at]?.resolve(result));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
