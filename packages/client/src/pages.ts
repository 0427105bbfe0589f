import type { Untyped } from './types.ts';

const PAGE = 200;
/** The last place of a list that an offset may name (spec 9.1). */
const MAX_OFFSET = 1_000;

type ListedRecord = Record<string, unknown>;

/**
 * The records of a list, page by page. Sorted by a field that no two records share, each page is
 * asked for by the last one's value, so that the list has no end, and every record that is there
 * at the beginning comes once while the list grows. A record that is created meanwhile may be
 * missed.
 */
export async function* pages(
  call: (name: string, given: Untyped) => Promise<unknown>,
  name: string,
  given: Untyped = {},
): AsyncGenerator<ListedRecord, void, undefined> {
  const { sort = 'id', ...query } = given.query ?? {};
  const limit = Number(query['limit'] ?? PAGE);
  const [, sign = '', field = ''] = /^(-?)(.*)$/.exec(String(sort)) ?? [];
  const keyed = isCursorField(field, name, query);
  for (let at = 0, last: string | number | undefined; ; at += limit) {
    if (!keyed && at > MAX_OFFSET) throw new RangeError(offsetLimitMessage(String(sort)));
    const place = keyed
      ? { sort, ...after(last) }
      : { ...(given.query?.['sort'] ? { sort } : {}), offset: at };
    const page = (await call(name, { ...given, query: { ...query, limit, ...place } })) as ListedRecord[];
    yield* page;
    if (page.length < limit) return;
    last = page.at(-1)?.[field] as string | number | undefined;
  }

  function after(last: string | number | undefined): Record<string, string> {
    return last === undefined ? {} : { [field]: `${sign ? '<' : '>'}${last}` };
  }
}

/** Whether a list can be asked for by the last value of a field: it is unique, and no filter. */
function isCursorField(field: string, name: string, query: ListedRecord): boolean {
  if (query['q'] !== undefined || query['offset'] !== undefined || query[field] !== undefined) return false;
  const inOne = name === 'GET /conversations/{id}/messages' || /^\w+$/.test(String(query['conversation']));
  return field === 'id' || (field === 'sequence' && inOne && /messages$/.test(name));
}

function offsetLimitMessage(sort: string): string {
  return `A list sorted by ${sort} ends behind offset ${MAX_OFFSET}: sort it by id, or ask for less.`;
}
