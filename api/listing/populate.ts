import { replaceAt, textsAt } from '../../domain/query/population.ts';
import { charactersIn } from '../../domain/characters.ts';
import { MOST_CHARACTERS } from '../../store/listing.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import type { Reach } from '../../store/reach.ts';
import type { Body } from './catalog.ts';
import { shapedBody, shows } from './shape.ts';
import type { Populated, Shape } from './shape.ts';

/** How many records one answer may show in the place of ids. */
const MOST_RECORDS = 10_000;
const BATCH = 200;

interface Viewer {
  reach: Reach;
  publicUrl: string;
}

/**
 * Bodies as their shape wants them: fields selected, references replaced by the records they name. An id whose record is gone or out of
 * reach stays an id (contract 9).
 */
export async function shapedBodies(bodies: Body[], shape: Shape, viewer: Viewer): Promise<Body[]> {
  let shaped = bodies.map((body) => shapedBody(body, shape));
  for (const populated of shape.populations) {
    const records = await recordsOf(textsAt(shaped, populated.path), populated, viewer);
    shaped = replaceAt(shaped, populated.path, (id) => records.get(id) ?? id) as Body[];
  }
  return shaped;
}

async function recordsOf(
  ids: string[],
  { resource, shape }: Populated,
  viewer: Viewer,
): Promise<Map<string, Body>> {
  if (ids.length > MOST_RECORDS) {
    throw invalidRequest('populate', `shows ${MOST_RECORDS} records at most; ask for a smaller page`);
  }
  const wants = (field: string) => shows(shape, field);
  const found: Body[] = [];
  let characters = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = await resource.show({ ...viewer, ids: ids.slice(at, at + BATCH), wants });
    characters += charactersIn(some);
    if (characters > MOST_CHARACTERS) {
      throw invalidRequest('populate', `shows ${MOST_CHARACTERS} characters at most; ask for a smaller page`);
    }
    found.push(...some);
  }
  const shown = await shapedBodies(found, shape, viewer);
  return new Map(shown.map((body) => [String(body['id']), body]));
}
