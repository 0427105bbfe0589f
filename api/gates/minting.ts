import { createHash } from 'node:crypto';
import { mintId } from '../../store/identifier.ts';

/** Where the ids of one request come from. */
export const freshIds: () => string = mintId;

/**
 * Ids that follow from the seed: whoever runs the same request again mints the same ones. They rise within the request, and begin with the
 * seed's time like all ids.
 */
export function idsFrom(seed: string): () => string {
  let count = 0;
  const time = seed.slice(0, 8);
  const rest = createHash('sha256').update(seed).digest('hex').slice(0, 10);
  return () => `${time}${rest}${(count++).toString(16).padStart(6, '0')}`;
}
