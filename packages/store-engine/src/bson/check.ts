import { StoreError } from '../errors.ts';
import { MAX_DEPTH, decodeValue } from './decode.ts';
import { invalidBsonError, walk } from './walk.ts';

/**
 * Throws InvalidBSON (22) for a document that could not be decoded, at any depth, without the cost
 * of decoding it.
 */
export function checkDocument(bytes: Buffer): void {
  check({ bytes, offset: 0, depth: 0 });
}

function check({ bytes, offset, depth }: { bytes: Buffer; offset: number; depth: number }): void {
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `Document exceeds ${MAX_DEPTH} levels of nesting`);
  walk({ bytes, offset }, (element) => {
    switch (element.type) {
      case 0x01:
      case 0x07:
      case 0x08:
      case 0x0a:
      case 0x10:
      case 0x12:
        return true;
      case 0x02:
        if (element.end - element.start < 5 || bytes[element.end - 1] !== 0)
          throw invalidBsonError('a string without end');
        return true;
      case 0x03:
      case 0x04:
        check({ bytes, offset: element.start, depth: depth + 1 });
        return true;
      default:
        decodeValue(bytes, element, depth);
        return true;
    }
  });
}
