import type { Doc } from '../bson/value.ts';
import type { Step } from '../query/read.ts';

/**
 * `undefined` in what goes in or comes out stands for a while without a document, in which others
 * may be served.
 */
export type Stage = (input: Iterable<Step<Doc>>) => Iterable<Step<Doc>>;
