import { decodeDocument } from './bson/decode.ts';
import { compileFilter } from './query/filter.ts';

/**
 * The engine's filters without a server: compiles one, and answers whether documents match. All are
 * BSON. Throws what a `find` would be refused with.
 */
export function matcherOf(filter: Uint8Array): (document: Uint8Array) => boolean {
  const { matches } = compileFilter(decodeBson(filter));
  return (document) => matches(decodeBson(document));
}

function decodeBson(bson: Uint8Array) {
  return decodeDocument(Buffer.from(bson.buffer, bson.byteOffset, bson.byteLength));
}
