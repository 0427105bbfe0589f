import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartConfig } from '../../platform/config/processes.ts';
import { chooseEngine, chooseStoreAddress, mongodbVersion } from './mongodb.ts';
import { waitForListener } from './ports.ts';
import type { Program } from './program.ts';
import type { BinaryLookup } from './binary.ts';
import { StartProblem } from './start-problem.ts';
import { openPages } from './temporal-pages.ts';
import { resolveTemporal, temporalCommand, waitForTemporal } from './temporal.ts';

const CONFIGURED_MAY_TAKE_MS = 5_000;
const POLL_MS = 300;

type Report = Pick<BinaryLookup, 'log' | 'progress'>;

export interface Server {
  address: string;
  title: string;
  command?: string;
  uiUrl?: string;
  /** Absent for a configured server. */
  program?: Program;
  isHidden?: (line: string) => boolean;
  ready: (signal: AbortSignal) => Promise<void>;
  /** For the operator, if the server never becomes ready. */
  advice?: string;
}

/** Returns the configured Temporal server, or an embedded server with data in DATA_DIR. */
export async function temporalServer(config: StartConfig, report: Report): Promise<Server> {
  const namespace = config.temporalNamespace;
  const { temporal } = config;
  if (temporal) {
    // Imported only here, which saves 60 MB with an embedded server.
    const { connectionOptions, isNamespaceReady } = await import('../../workflows/client/connect.ts');
    await waitForServer(
      () => isNamespaceReady(connectionOptions(temporal), namespace),
      `TEMPORAL_ADDRESS: no Temporal server responds there that knows the namespace "${namespace}"`,
    );
    const address = temporal.temporalAddress;
    return { address, title: `${address} (TEMPORAL_ADDRESS)`, ready: () => Promise.resolve() };
  }
  const binary = await resolveTemporal({ env: process.env, ...report });
  const address = `127.0.0.1:${config.temporalPort}`;
  const folder = join(config.dataDir, 'temporal');
  const names = config.temporalUiUrl === undefined ? [] : [new URL(config.temporalUiUrl).hostname];
  const pages = await openPages({ port: config.temporalUiPort, names }).catch((error: unknown) => {
    throw new StartProblem(`TEMPORAL_UI_PORT cannot be used: ${(error as Error).message}`);
  });
  return {
    address,
    title: `${binary.version}, from ${binary.source}`,
    command: binary.path,
    uiUrl: config.temporalUiUrl ?? `http://127.0.0.1:${config.temporalUiPort}`,
    // Temporal prints addresses, one of which browsers cannot open. The banner has the others.
    isHidden: (line) => /^Temporal (CLI|Server|UI|Persistence|Metrics)\b/.test(line),
    ready: (signal) => waitForTemporal({ address, namespace, signal }),
    program: await temporalCommand({
      binary: binary.path,
      port: config.temporalPort,
      pages: pages.behind,
      namespace,
      folder,
    }),
    advice: `Where its data are damaged, move ${folder} away and start again: conversations are in the store and go on.`,
  };
}

/** Returns the configured MongoDB, or an embedded store with data in DATA_DIR. */
export async function storeServer(config: StartConfig, report: Report): Promise<Server> {
  const { mongodbUri } = config;
  if (mongodbUri !== undefined) {
    const version = await waitForServer(
      () => mongodbVersion(mongodbUri),
      'MONGODB_URI: no MongoDB responds there',
    );
    return {
      address: mongodbUri,
      title: `MongoDB ${version} (MONGODB_URI)`,
      ready: () => Promise.resolve(),
    };
  }
  const engine = await chooseEngine(config.dataDir, { env: process.env, ...report });
  await mkdir(engine.folder, { recursive: true });
  const at = await chooseStoreAddress(config.dataDir);
  return {
    address: engine.uri(at),
    title: `${engine.name}${engine.version === undefined ? '' : ` ${engine.version}`}, from ${engine.source}`,
    ready: (signal) => waitForListener(at.socket, signal),
    program: engine.program(at),
  };
}

/** Returns the first truthy result of `find`. Throws StartProblem after some seconds. */
async function waitForServer<T>(find: () => Promise<T | false | undefined>, problem: string): Promise<T> {
  const deadline = Date.now() + CONFIGURED_MAY_TAKE_MS;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > deadline) throw new StartProblem(`${problem}.`);
    await sleep(POLL_MS);
  }
}
