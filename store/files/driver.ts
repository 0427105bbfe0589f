import type { Readable } from 'node:stream';
import type { ByteRange } from '../../domain/files/range.ts';

/** One place for contents of files. `id` is the id of the file's record. */
export interface ContentDriver {
  /** Rejects with the error of `chunks`. Call `remove` after a rejection. */
  write: (id: string, chunks: AsyncIterable<Buffer>) => Promise<void>;
  read: (id: string, range: ByteRange) => Promise<Readable>;
  /** Repeatable, also after an incomplete write. */
  remove: (id: string) => Promise<void>;
}
