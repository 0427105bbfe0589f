import { pino, stdSerializers } from 'pino';
import type { Logger } from 'pino';
import { formatLogLine, isColoured, isText } from './log-line.ts';
import type { LogFormat } from './log-line.ts';

const MAX_CHARACTERS = 4_000;
const MAX_ERRORS = 3;

type LogStream = { write(line: string): void };

/**
 * Creates a log that writes JSON, or text for people on a terminal (`LOG_FORMAT`). Truncates
 * errors: a bulk write error of the driver contains all documents of the write.
 */
export function createLog(
  { name, level, format }: { name: string; level?: string; format?: LogFormat },
  stream = isText(format) ? textStream() : undefined,
): Logger {
  const serializers = { err: serializeError, error: serializeError };
  const options = { name, ...(level === undefined ? {} : { level }), serializers };
  return stream ? pino(options, stream) : pino(options);
}

function textStream(): LogStream {
  const colours = { isColoured: isColoured() };
  return {
    write: (line) => void process.stdout.write(`${formatLogLine(line.trimEnd(), colours) ?? ''}\n`),
  };
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
