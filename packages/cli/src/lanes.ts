/**
 * Does what is added one after the other in each lane, and the lanes beside each other. `failure`
 * answers with what a job threw first; from then on nothing more is done.
 */
export function createLanes<T>(run: (job: T) => Promise<void>) {
  const ends = new Map<string, Promise<void>>();
  let failed: { error: unknown } | undefined;
  return {
    failure: () => failed,
    add(lane: string, job: T): void {
      const end = (ends.get(lane) ?? Promise.resolve())
        .then(() => (failed ? undefined : run(job)))
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => {
          if (ends.get(lane) === end) ends.delete(lane);
        });
      ends.set(lane, end);
    },
  };
}
