/** What an engine says of a command that was not over within its `maxTimeMS`. */
const TIME_IS_OVER = 50;

/** A search was not over in its time. */
export class SearchTooLong extends Error {
  override readonly name = 'SearchTooLong';
}

/** Throws an engine's error again, as SearchTooLong where it means that the time was over. */
export function rethrowTooLong(error: unknown): never {
  if ((error as { code?: unknown }).code === TIME_IS_OVER) throw new SearchTooLong();
  throw error;
}
