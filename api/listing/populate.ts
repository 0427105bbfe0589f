import { replaceAt, textsAt } from '../../domain/query/population.ts';
import { charactersIn } from '../../domain/characters.ts';
import { invalidRequest } from '../../domain/errors.ts';
import { inSlices } from '../../store/queries/slices.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { createBoundedSum } from './bounded-sum.ts';
import type { Body } from './catalog.ts';
import { shapeBody, includesField } from './shape.ts';
import type { Populated, Shape } from './shape.ts';

/** Limit per populated field of a response. */
const MAX_RECORDS = 10_000;
const BATCH = 200;

interface PopulateContext {
  reach: Reach;
  publicUrl: string;
  awaitLargeSlot: () => Promise<void>;
}

/** `characters` is the length as JSON. */
interface Shaped {
  body: Body;
  characters: number;
}

/**
 * Applies `shape`. An id stays an id if its record is missing or out of reach (spec 9.6). Throws
 * DomainError `invalid_request` for too many characters or records.
 */
export async function shapeBodies(bodies: Body[], shape: Shape, viewer: PopulateContext): Promise<Body[]> {
  const shaped = await shapeAndCount(bodies, shape, viewer);
  return shaped.map(({ body }) => body);
}

async function shapeAndCount(bodies: Body[], shape: Shape, viewer: PopulateContext): Promise<Shaped[]> {
  const parameter = shape.populations.length > 0 ? 'populate' : 'limit';
  const sum = createBoundedSum(parameter);
  const shaped = await inSlices(bodies, (given) => {
    const body = shapeBody(given, shape);
    const characters = charactersIn(body);
    sum.add(characters);
    return { body, characters };
  });
  if (sum.isLarge()) await viewer.awaitLargeSlot();
  for (const populated of shape.populations) {
    const ids = textsAt(
      shaped.map(({ body }) => body),
      populated.path,
    );
    const records = await loadRecords(ids, populated, viewer);
    await inSlices(shaped, (one) => {
      one.body = replaceAt(one.body, populated.path, (id) => {
        const record = records.get(id);
        if (!record) return id;
        const more = record.characters - charactersIn(id);
        one.characters += more;
        sum.add(more);
        return record.body;
      }) as Body;
    });
    if (sum.isLarge()) await viewer.awaitLargeSlot();
  }
  return shaped;
}

async function loadRecords(
  ids: string[],
  { resource, shape }: Populated,
  viewer: PopulateContext,
): Promise<Map<string, Shaped>> {
  if (ids.length > MAX_RECORDS) {
    throw invalidRequest('populate', `shows ${MAX_RECORDS} records at most; request a smaller page`);
  }
  const wants = (field: string) => includesField(shape, field);
  const found: Body[] = [];
  const read = createBoundedSum('populate');
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = await resource.show({ ...viewer, ids: ids.slice(at, at + BATCH), wants });
    read.add(charactersIn(some));
    if (read.isLarge()) await viewer.awaitLargeSlot();
    found.push(...some);
  }
  const shown = await shapeAndCount(found, shape, viewer);
  return new Map(shown.map((one) => [String(one.body['id']), one]));
}
