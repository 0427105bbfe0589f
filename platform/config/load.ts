import { ConfigurationError } from './read.ts';
import type { Environment, EnvironmentReader } from './read.ts';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Loads `.env` from the working directory, if present, and reads the configuration. Environment
 * variables override `.env`. Prints a ConfigurationError and exits with code 1.
 */
export function loadConfig<T>(read: (env: Environment) => T): T {
  try {
    loadEnvFile();
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The first admin, created only when no user exists (spec 1.4). */
export interface BootstrapAdmin {
  email: string;
  password?: string;
  organization: string;
}

export function readBootstrapAdmin(reader: EnvironmentReader): BootstrapAdmin {
  const password = reader.value('BOOTSTRAP_ADMIN_PASSWORD');
  return {
    email: reader.value('BOOTSTRAP_ADMIN_EMAIL'),
    organization: reader.value('BOOTSTRAP_ORGANIZATION'),
    ...(password === undefined ? {} : { password }),
  };
}

export function productVersion(): string {
  // Compiled code is one folder deeper than its source.
  const places = ['../../package.json', '../../../package.json'].map(
    (path) => new URL(path, import.meta.url),
  );
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error('package.json is missing');
  const { version } = JSON.parse(readFileSync(found, 'utf8')) as { version: string };
  return version;
}
