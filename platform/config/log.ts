import { pino, stdSerializers } from 'pino';
import type { Logger } from 'pino';

const MAX_CHARACTERS = 4_000;
const MAX_ERRORS = 3;

/** Truncates errors: a bulk write error of the driver contains all documents of the write. */
export function createLog(
  options: { name: string; level?: string },
  stream?: { write(line: string): void },
): Logger {
  const serializers = { err: serializeError, error: serializeError };
  return stream ? pino({ ...options, serializers }, stream) : pino({ ...options, serializers });
}

function serializeError(error: unknown): unknown {
  return error instanceof Error ? shortenError(stdSerializers.err(error)) : error;
}

function shortenError(error: object): object {
  return Object.fromEntries(
    Object.entries(error).flatMap(([key, value]: [string, unknown]) => {
      if (typeof value === 'string') return [[key, value.slice(0, MAX_CHARACTERS)]];
      if (key === 'aggregateErrors' && Array.isArray(value)) {
        return [[key, value.slice(0, MAX_ERRORS).map((one) => shortenError(Object(one) as object))]];
      }
      return typeof value === 'object' ? [] : [[key, value]];
    }),
  );
}
