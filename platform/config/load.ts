import { ConfigurationError } from './read.ts';
import type { Environment } from './read.ts';

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
