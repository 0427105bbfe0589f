/** Bytes of bodies that have begun to arrive, over all requests. */
const MAX_ARRIVING_BYTES = 128 * 1024 * 1024;

/** A body that is arriving. */
export interface UploadBudget {
  /** More of it has come. */
  add: (bytes: number) => void;
  /** It is complete, or nobody waits for it any more. */
  end: () => void;
}

const activeUploads = new Map<UploadBudget, { bytes: number; giveUp: () => void }>();
let total = 0;

/**
 * Begins to count a body. While all together are more than 128 MiB, `giveUp` is called on the one
 * that began first: honest bodies are complete in a moment, so it is one that drips.
 */
export function createUploadBudget(giveUp: () => void): UploadBudget {
  const own = { bytes: 0, giveUp };
  const arrival: UploadBudget = {
    add(bytes) {
      if (!activeUploads.has(arrival)) return;
      own.bytes += bytes;
      total += bytes;
      while (total > MAX_ARRIVING_BYTES) abortOldestUpload();
    },
    end() {
      if (activeUploads.delete(arrival)) total -= own.bytes;
    },
  };
  activeUploads.set(arrival, own);
  return arrival;
}

function abortOldestUpload(): void {
  for (const [arrival, { giveUp }] of activeUploads) {
    arrival.end();
    giveUp();
    return;
  }
}
