import { DomainError, preconditionFailed, unavailable } from '../../domain/errors.ts';
import type { HandlerResult, OpenRequest } from '../request.ts';
import { matchesIfMatch, serializeWithEtag } from './response.ts';

/** RFC 7396. */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';

const MAX_TRIES = 20;

interface MergingPatch {
  request: Omit<OpenRequest, 'body'>;
  patch: unknown;
  /** Returns the record that the patch changes, as the caller sees it. */
  read: () => Promise<HandlerResult>;
  /** Validates a body and makes the change, if `ifMatch` is the tag of the record. */
  write: (request: OpenRequest) => Promise<HandlerResult>;
}

/**
 * Makes a change whose nested objects are merged with the stored ones (spec 2.3). The write matches
 * only the record that was read, so that concurrent changes lose nothing. Throws DomainError
 * `precondition_failed` for another `If-Match` of the caller.
 */
export async function mergeAndWrite({ request, patch, read, write }: MergingPatch): Promise<HandlerResult> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const record = (await read()).body as object;
    const { etag } = serializeWithEtag(record);
    if (request.ifMatch !== '' && !matchesIfMatch(request.ifMatch, etag)) throw preconditionFailed();
    const written = await write({ ...request, body: mergeFields(record, patch), ifMatch: etag }).catch(
      undefinedIfChanged,
    );
    if (written) return written;
  }
  throw unavailable();
}

function undefinedIfChanged(error: unknown): undefined {
  if (error instanceof DomainError && error.code === 'precondition_failed') return undefined;
  throw error;
}

/** Merges each field of the patch into the record. Keeps null, which clears a field. */
function mergeFields(record: object, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const stored = record as Record<string, unknown>;
  return mapEntries(patch, (value, name) => (value === null ? null : applyMergePatch(stored[name], value)));
}

/** See RFC 7396, section 2. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const kept = isObject(target) ? target : {};
  const changed = mapEntries(patch, (value, name) =>
    applyMergePatch(Object.hasOwn(kept, name) ? kept[name] : undefined, value),
  );
  const all = Object.entries({ ...kept, ...changed });
  return Object.fromEntries(all.filter(([name]) => !Object.hasOwn(patch, name) || patch[name] !== null));
}

function mapEntries(
  fields: Record<string, unknown>,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
