/** Limit of one file (spec 6.11). */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** `meta.media` of a message (spec 6.11). */
export interface Media {
  name: string;
  type: string;
  bytes: number;
}

const MAX_NAME_LENGTH = 255;

/** Returns `meta.media` if it describes a file. Callers write `meta` freely. */
export function readMedia(meta: Record<string, unknown> | undefined): Media | undefined {
  const { name, type, bytes } = (meta?.['media'] ?? {}) as Record<string, unknown>;
  const isMedia = typeof name === 'string' && typeof type === 'string' && typeof bytes === 'number';
  return isMedia && name !== '' && name.length <= MAX_NAME_LENGTH ? { name, type, bytes } : undefined;
}
