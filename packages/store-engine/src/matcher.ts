import { decodeDocument } from './bson/decode.ts';
import { compileFilter } from './query/filter.ts';

/** Compiles a BSON filter for use without a server. Throws the same StoreError as `find`. */
export function matcherOf(filter: Uint8Array): (document: Uint8Array) => boolean {
  const { matches } = compileFilter(decodeBson(filter));
  return (document) => matches(decodeBson(document));
}

function decodeBson(bson: Uint8Array) {
  return decodeDocument(Buffer.from(bson.buffer, bson.byteOffset, bson.byteLength));
}
