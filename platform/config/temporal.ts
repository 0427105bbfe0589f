import { readFileSync } from 'node:fs';
import type { EnvironmentReader } from './read.ts';

export interface TemporalConfig {
  temporalAddress: string;
  /**
   * Absent: no TLS. All values are PEM. Without `authority` the system's authorities are trusted.
   */
  temporalTls?: { authority?: string; client?: { certificate: string; key: string } };
  temporalApiKey?: string;
}

export function readTemporal(reader: EnvironmentReader): TemporalConfig {
  return { temporalAddress: reader.required('TEMPORAL_ADDRESS'), ...readTemporalSecurity(reader) };
}

/** Enables TLS if an API key or a certificate is set. */
export function readTemporalSecurity(reader: EnvironmentReader): Omit<TemporalConfig, 'temporalAddress'> {
  const apiKey = reader.value('TEMPORAL_API_KEY');
  const authority = file(reader, 'TEMPORAL_TLS_CA_PATH');
  const certificate = file(reader, 'TEMPORAL_TLS_CERT_PATH');
  const key = file(reader, 'TEMPORAL_TLS_KEY_PATH');
  if (!certificate !== !key) {
    reader.complain('TEMPORAL_TLS_CERT_PATH and TEMPORAL_TLS_KEY_PATH must be set together');
  }
  const withTls = reader.value('TEMPORAL_TLS') === 'true' || apiKey !== undefined || authority || certificate;
  return {
    ...(withTls
      ? {
          temporalTls: {
            ...(authority ? { authority } : {}),
            ...(certificate && key ? { client: { certificate, key } } : {}),
          },
        }
      : {}),
    ...(apiKey === undefined ? {} : { temporalApiKey: apiKey }),
  };
}

function file(
  reader: EnvironmentReader,
  name: 'TEMPORAL_TLS_CA_PATH' | 'TEMPORAL_TLS_CERT_PATH' | 'TEMPORAL_TLS_KEY_PATH',
): string | undefined {
  const path = reader.value(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    reader.complain(`${name} must be a file that can be read`);
    return undefined;
  }
}
