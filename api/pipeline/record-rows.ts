import type { TSchema } from 'typebox';
import type { Route } from '../route.ts';

/**
 * Tells whether a row answers with a single record, as the `GET /resource/:id` of its table shows
 * it: such an answer has an entity tag (spec 2). Posting messages does where it is asked for one.
 */
export function createRecordCheck(rows: readonly Route[]): (row: Pick<Route, 'answer'>) => boolean {
  const records = new Set(
    rows
      .filter(({ method, path }) => method === 'GET' && /^\/\w+\/:id$/.test(path))
      .map(({ answer }) => answer),
  );
  records.delete(undefined);
  return ({ answer }) => {
    const { anyOf = [] } = (answer ?? {}) as { anyOf?: TSchema[] };
    return records.has(answer) || anyOf.some((one) => records.has(one));
  };
}
