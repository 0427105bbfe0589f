import type { EnvironmentReader } from './read.ts';

export interface TracingConfig {
  /** Absent: tracing is off. */
  endpoint?: string;
  /** Sampling ratio, 0 to 1, of requests without a trace of the caller. */
  ratio: number;
}

export function readTracing(reader: EnvironmentReader): TracingConfig {
  const endpoint = reader.value('OTEL_EXPORTER_OTLP_ENDPOINT');
  return { ...(endpoint === undefined ? {} : { endpoint }), ratio: reader.value('OTEL_TRACES_SAMPLER_ARG') };
}
