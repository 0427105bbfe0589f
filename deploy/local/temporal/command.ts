import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../program.ts';
import type { PagesAddress } from './pages.ts';

export interface TemporalServerOptions {
  binary: string;
  port: number;
  pages?: PagesAddress;
  namespace: string;
  /** Folder of the database, created if missing. Absent: in memory. */
  folder?: string;
}

/** Dynamic configuration that differs from the server's defaults. */
const SETTINGS = {
  // The server's default limit of ten aborts updates that it has already accepted.
  'history.maxInFlightUpdates': 1000,
  // Lets operators pause a conversation (docs/operations.md).
  'frontend.WorkflowPauseEnabled': true,
  // The server's HTTP API has no authentication and accepts requests of any website. It cannot be
  // disabled, but it refuses all hosts that are not listed here. A host name cannot contain a
  // space.
  'frontend.httpAllowedHosts': ['no host'],
  // Deletes runs at once instead of waiting for the server's queues.
  'history.transferProcessorEnsureCloseBeforeDelete': false,
  'history.visibilityProcessorEnsureCloseBeforeDelete': false,
  // Evicts cached runs after ten minutes instead of an hour, and in the background: finished runs
  // took two megabytes per minute at 30 messages per second.
  'history.cacheTTL': '10m',
  'history.cacheBackgroundEvict': { Enabled: true, LoopInterval: '1m', MaxEntryPerCall: 1024 },
};

/**
 * Returns the command that runs a Temporal server on loopback. The same folder keeps the same data.
 */
export async function temporalCommand(options: TemporalServerOptions): Promise<Program> {
  return {
    command: options.binary,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port)],
      ...(options.pages === undefined ? ['--headless'] : pagesArguments(options.pages)),
      ...['--namespace', options.namespace, '--log-level', 'warn'],
      ...Object.entries(SETTINGS).flatMap(setting),
      ...(options.folder === undefined ? [] : await databaseArguments(options.folder)),
    ],
  };
}

function pagesArguments({ host, port }: PagesAddress): string[] {
  return ['--ui-ip', host, '--ui-port', String(port)];
}

function setting([name, value]: [string, unknown]): string[] {
  return ['--dynamic-config-value', `${name}=${JSON.stringify(value)}`];
}

/**
 * A write-ahead log with lazy flushing survives a killed process and gives 1.4 times the
 * throughput.
 */
async function databaseArguments(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return [
    ...['--db-filename', join(folder, 'temporal.db')],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
  ];
}
