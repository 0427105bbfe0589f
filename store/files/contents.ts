import { Readable } from 'node:stream';
import mongoose from 'mongoose';
import type { BucketConfig } from '../../domain/files/file.ts';
import type { ByteRange } from '../../domain/files/range.ts';
import type { ContentDriver } from './driver.ts';

/** Where a content is. Each record names its place, so that the configuration may change. */
export type ContentPlace = 'gridfs' | 's3';

export interface StoredContent {
  /** Id of the file's record. */
  id: string;
  place: ContentPlace;
}

/** Contents of files, which are streamed in both directions. */
export interface FileContents {
  /** Place of new contents. */
  readonly place: ContentPlace;
  write: ContentDriver['write'];
  read: (content: StoredContent, range: ByteRange) => Promise<Readable>;
  /** Repeatable, also after an incomplete write. */
  remove: (content: StoredContent) => Promise<void>;
}

/** Stores new contents in the bucket if there is one, otherwise in MongoDB. */
export async function createFileContents(bucket: BucketConfig | undefined): Promise<FileContents> {
  const gridfs = createGridFs();
  // The client's code is loaded only if a bucket is configured.
  const s3 = bucket && (await import('./bucket.ts')).createBucket(bucket);
  const driver = ({ place }: StoredContent) => {
    if (place === 'gridfs') return gridfs;
    if (s3) return s3;
    throw new Error('The file is in a bucket, and FILES_S3_BUCKET is not set.');
  };
  return {
    place: s3 ? 's3' : 'gridfs',
    write: (s3 ?? gridfs).write,
    read: async (content, range) => driver(content).read(content.id, range),
    remove: async (content) => driver(content).remove(content.id),
  };
}

const COLLECTIONS = 'filecontents';
const schemaOf = (part: string) =>
  new mongoose.Schema({}, { collection: `${COLLECTIONS}.${part}`, versionKey: false });
// GridFS would build these indexes with the first file, beside running requests.
mongoose.model('FileContent', schemaOf('files').index({ filename: 1, uploadDate: 1 }));
mongoose.model('FileContentChunk', schemaOf('chunks').index({ files_id: 1, n: 1 }, { unique: true }));
/** Four chunks. A download stream reads up to 16 MiB before its reader takes a byte. */
const READ_BYTES = 4 * 255 * 1024;

type GridFsId = mongoose.mongo.ObjectId;

function createGridFs(): ContentDriver {
  let bucket: mongoose.mongo.GridFSBucket | undefined;
  const open = () => {
    if (!mongoose.connection.db) throw new Error('The store is not connected.');
    return (bucket ??= new mongoose.mongo.GridFSBucket(mongoose.connection.db, { bucketName: COLLECTIONS }));
  };
  return {
    async write(id, chunks) {
      const upload = open().openUploadStreamWithId(toGridFsId(id), id);
      // Each call reports its error to its callback.
      upload.on('error', () => undefined);
      // No write is under way when `chunks` rejects, so that no chunk is stored after `remove`.
      for await (const chunk of chunks) await settled((done) => upload.write(chunk, done));
      await settled((done) => upload.end(done));
    },
    read(id, { first, last }) {
      async function* parts() {
        for (let start = first; start <= last;) {
          // GridFS excludes the end.
          const end = Math.min((Math.floor(start / READ_BYTES) + 1) * READ_BYTES, last + 1);
          yield* open().openDownloadStream(toGridFsId(id), { start, end }) as AsyncIterable<Buffer>;
          start = end;
        }
      }
      return Promise.resolve(Readable.from(parts(), { objectMode: false }));
    },
    async remove(id) {
      const gridFsId = toGridFsId(id);
      await open()
        .delete(gridFsId)
        .catch((error: unknown) => {
          // An incomplete write leaves only chunks, which `delete` removes before it rejects.
          if (!String(error).includes('File not found')) throw error;
        });
    },
  };
}

function settled(start: (done: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

function toGridFsId(id: string): GridFsId {
  return new mongoose.mongo.ObjectId(id);
}
