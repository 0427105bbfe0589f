import type { Doc } from '../bson/value.ts';
import type { ItemOrPause } from '../query/read.ts';

/**
 * `undefined` in what goes in or comes out stands for a while without a document, in which others
 * may be served.
 */
export type PipelineStage = (input: Iterable<ItemOrPause<Doc>>) => Iterable<ItemOrPause<Doc>>;
