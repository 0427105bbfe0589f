import type { EnvironmentReader } from './read.ts';

/** Where traces go, and how many of them. */
export interface TracingConfig {
  /** Absent: nothing is traced. */
  endpoint?: string;
  /** Which part of the requests is traced that bring no trace of their own, 0 to 1. */
  ratio: number;
}

export function readTracing(reader: EnvironmentReader): TracingConfig {
  const endpoint = reader.value('OTEL_EXPORTER_OTLP_ENDPOINT');
  return { ...(endpoint === undefined ? {} : { endpoint }), ratio: reader.value('OTEL_TRACES_SAMPLER_ARG') };
}
