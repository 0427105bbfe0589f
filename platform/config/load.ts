import { ConfigurationError } from './read.ts';
import type { Environment, EnvironmentReader } from './read.ts';
import { existsSync, readFileSync } from 'node:fs';

/**
 * The configuration of this process: `.env` in the working directory if there is one (the
 * environment wins over it), then `read`. A configuration that is not usable is printed, and the
 * process exits with 1.
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

/** The first admin, made only when no user exists (spec 1.4). */
export interface BootstrapAdmin {
  email: string;
  /** Absent: nobody said one, and then there is no first admin to make. */
  password?: string;
  /** Name of the root organization that is made with the admin. */
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

/** The product's version, as package.json says it. */
export function productVersion(): string {
  // Compiled code lies one folder deeper than its source.
  const places = ['../../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error('package.json is missing');
  const { version } = JSON.parse(readFileSync(found, 'utf8')) as { version: string };
  return version;
}
