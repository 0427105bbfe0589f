import { replaceAt, textsAt } from '../../domain/query/population.ts';
import { charactersIn } from '../../domain/characters.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { inSlices } from '../../store/queries/slices.ts';
import type { Reach } from '../../store/queries/reach.ts';
import { boundedSum } from './bounded-sum.ts';
import type { Body } from './catalog.ts';
import { shapedBody, shows } from './shape.ts';
import type { Populated, Shape } from './shape.ts';

/** How many records one answer may show in the place of ids. */
const MAX_RECORDS = 10_000;
const BATCH = 200;

interface Viewer {
  reach: Reach;
  publicUrl: string;
  /** Resolves when an answer may become large; may be called often. */
  becomeLarge: () => Promise<void>;
}

/** A body as it is shown, and how many characters it has as JSON. */
interface Shaped {
  body: Body;
  characters: number;
}

/**
 * Bodies as their shape wants them: fields selected, references replaced by the records they name.
 * An id whose record is gone or out of reach stays an id (spec 9.6). Throws DomainError
 * `invalid_request` where more than MAX_CHARACTERS would be shown: a record counts as often as it
 * is shown.
 */
export async function shapedBodies(bodies: Body[], shape: Shape, viewer: Viewer): Promise<Body[]> {
  const shaped = await shapedAndCounted(bodies, shape, viewer);
  return shaped.map(({ body }) => body);
}

async function shapedAndCounted(bodies: Body[], shape: Shape, viewer: Viewer): Promise<Shaped[]> {
  const parameter = shape.populations.length > 0 ? 'populate' : 'limit';
  const sum = boundedSum(parameter);
  const shaped = await inSlices(bodies, (given) => {
    const body = shapedBody(given, shape);
    const characters = charactersIn(body);
    sum.add(characters);
    return { body, characters };
  });
  if (sum.isLarge()) await viewer.becomeLarge();
  for (const populated of shape.populations) {
    const ids = textsAt(
      shaped.map(({ body }) => body),
      populated.path,
    );
    const records = await recordsOf(ids, populated, viewer);
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
    if (sum.isLarge()) await viewer.becomeLarge();
  }
  return shaped;
}

async function recordsOf(
  ids: string[],
  { resource, shape }: Populated,
  viewer: Viewer,
): Promise<Map<string, Shaped>> {
  if (ids.length > MAX_RECORDS) {
    throw invalidRequest('populate', `shows ${MAX_RECORDS} records at most; ask for a smaller page`);
  }
  const wants = (field: string) => shows(shape, field);
  const found: Body[] = [];
  const read = boundedSum('populate');
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = await resource.show({ ...viewer, ids: ids.slice(at, at + BATCH), wants });
    read.add(charactersIn(some));
    if (read.isLarge()) await viewer.becomeLarge();
    found.push(...some);
  }
  const shown = await shapedAndCounted(found, shape, viewer);
  return new Map(shown.map((one) => [String(one.body['id']), one]));
}
