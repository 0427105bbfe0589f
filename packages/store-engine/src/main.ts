import { parseArgs } from 'node:util';
import { startStore } from './server.ts';
import { DamagedFolder, Damage } from './storage/digest.ts';
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

const LOOK_EVERY_MS = 500;

/** EX_DATAERR of sysexits: a restart does not help. */
const DATA_ERROR = 65;

/**
 * The program `main.js --data-dir DIR [--port N | --socket PATH]`. Prints one line to stdout when
 * the store is ready, or to stderr if the store cannot start.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string', default: '27017' },
      socket: { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (values['data-dir'] === undefined) throw new Error('--data-dir is missing');
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port ${values.port} is not a port`);
  const place = values.socket === undefined ? { port } : { socket: values.socket };
  // The socket must be private from the moment it exists.
  if (values.socket !== undefined) process.umask(0o077);
  const store = await startStore({ dataDir: values['data-dir'], ...place });
  const endWatch = watchDataFile(values['data-dir'], fail);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      endWatch();
      store.close().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
  process.stdout.write(`store ready ${store.uri}\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`store: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof DamagedFolder ? DATA_ERROR : 1);
}

main().catch(fail);

/**
 * Calls `gone` when the data file is removed or replaced, because further writes would be lost.
 * Returns a function that stops the checks.
 */
function watchDataFile(folder: string, gone: (error: DamagedFolder) => void): () => void {
  const path = join(folder, 'data.mdb');
  const { ino, dev } = statSync(path);
  const look = async () => {
    const isThere = await stat(path).then(
      (now) => now.ino === ino && now.dev === dev,
      (error: unknown) => !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''),
    );
    if (isThere) return;
    clearInterval(timer);
    gone(
      new DamagedFolder(folder, new Damage('its file data.mdb was removed or replaced while it was used')),
    );
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
