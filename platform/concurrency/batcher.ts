export interface BatcherOptions<T, R> {
  /** Writes a batch, at least one item; resolves to a result for each, in order. */
  write: (items: T[]) => Promise<readonly R[]>;
  /** As many as one batch may have. */
  maxItems: number;
  /**
   * An item waits no longer than this for the batch that is under way. Default: as long as that
   * takes.
   */
  maxWaitMs?: number;
}

interface PendingItem<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Has items that arrive while a batch is under way written together in the next. Answers how to
 * hand an item over: it resolves to the item's result, and rejects when its batch was rejected.
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
    if (results.length < batch.length) throw new Error('A batch was answered with too few results.');
    results.forEach((result, at) => batch[at]?.resolve(result));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
