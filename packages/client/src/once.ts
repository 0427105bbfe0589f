/** What is done for an id, in the turn of its lane. */
export interface Job<T> {
  id: string;
  lane: string;
  run: () => Promise<T>;
}

/** How many are remembered, to know those that come again. */
const MAX_REMEMBERED = 1_000;

/**
 * Does each job once: whoever comes again with its id gets what the first one got, also while it is
 * under way. Those of a lane are done one after the other. What failed is forgotten, and may come
 * again.
 */
export function createOnce<T>(): (job: Job<T>) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  const turns = new Map<string, Promise<unknown>>();

  function inTurn({ id, lane, run }: Job<T>): Promise<T> {
    const result = (turns.get(lane) ?? Promise.resolve()).then(run);
    const over = result
      .catch(() => results.delete(id))
      .finally(() => {
        if (turns.get(lane) === over) turns.delete(lane);
      });
    turns.set(lane, over);
    return result;
  }

  return (job) => {
    const result = results.get(job.id) ?? inTurn(job);
    results.delete(job.id);
    results.set(job.id, result);
    const [oldest] = results.keys();
    if (results.size > MAX_REMEMBERED && oldest !== undefined) results.delete(oldest);
    return result;
  };
}
