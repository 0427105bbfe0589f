import { join } from 'node:path';
import { startServer } from './embedded-server.ts';
import type { ServerProcess } from './embedded-server.ts';
import type { LineSink } from './lines.ts';
import { freePort } from './ports.ts';
import type { Binary } from './resolution.ts';
import { temporalCommand } from './temporal/command.ts';
import { openPages } from './temporal/pages.ts';
import { waitForTemporal } from './temporal/ready.ts';
import { resolveTemporal } from './temporal/resolve.ts';

export interface TemporalOptions {
  /** Absent: in memory. */
  dataDir?: string;
  port?: number;
  /** Default: a free port. */
  uiPort?: number | 'none';
  log?: LineSink;
}

export interface TemporalServer extends ServerProcess {
  address: string;
  uiUrl?: string;
  binary: Binary;
}

/**
 * Starts an embedded Temporal server. Resolves when it is ready. The server exits with this process
 * at the latest.
 */
export async function startTemporal(options: TemporalOptions = {}): Promise<TemporalServer> {
  const log = options.log ?? (() => undefined);
  const binary = await resolveTemporal({ env: process.env, log });
  const port = options.port ?? (await freePort());
  const uiPort = options.uiPort === 'none' ? undefined : (options.uiPort ?? (await freePort()));
  const pages = uiPort === undefined ? undefined : await openPages({ port: uiPort, names: [] });
  const address = `127.0.0.1:${port}`;
  const namespace = 'default';
  const program = await temporalCommand({
    binary: binary.path,
    port,
    namespace,
    ...(pages === undefined ? {} : { pages: pages.behind }),
    ...(options.dataDir === undefined ? {} : { folder: join(options.dataDir, 'temporal') }),
  });
  const ready = (signal: AbortSignal) => waitForTemporal({ address, namespace, signal });
  const server = await startServer({ name: 'Temporal', program, ready, log });
  return {
    ...server,
    address,
    binary,
    ...(uiPort === undefined ? {} : { uiUrl: `http://127.0.0.1:${uiPort}` }),
    async close() {
      pages?.close();
      await server.close();
    },
    kill() {
      pages?.close();
      server.kill();
    },
  };
}
