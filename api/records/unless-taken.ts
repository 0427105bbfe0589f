import { DomainError } from '../../domain/errors.ts';
import type { ErrorDetail } from '../../domain/errors.ts';
import { isDuplicateKey } from '../../store/queries/duplicate-key.ts';

/** What a caller is told of a value that another record has. */
export interface DuplicateMessage {
  message: string;
  detail: ErrorDetail;
}

/**
 * Runs a write; where a unique index refuses it, rejects with DomainError `conflict` (spec 2.4).
 */
export async function rejectDuplicate<R>(
  { message, detail }: DuplicateMessage,
  write: () => Promise<R>,
): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new DomainError('conflict', message, { details: [detail] });
  }
}
