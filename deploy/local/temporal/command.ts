import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../program.ts';
import type { PagesAddress } from './pages.ts';

export interface TemporalServerOptions {
  binary: string;
  port: number;
  /** Where its pages are served; absent: nowhere. */
  pages?: PagesAddress;
  namespace: string;
  /** Folder of the server's database, made if missing. Absent: in memory, gone with the process. */
  folder?: string;
}

/** The server's dynamic configuration, where its own is not ours. */
const SETTINGS = {
  // The server's own limit of ten in flight aborts updates that it has taken already.
  'history.maxInFlightUpdates': 1000,
  // Lets operators pause a conversation (docs/operations.md).
  'frontend.WorkflowPauseEnabled': true,
  // The server's HTTP API knows no tokens and takes requests of any website. It cannot be turned
  // off, but it refuses all hosts except those named here. A space is in no host name.
  'frontend.httpAllowedHosts': ['no host'],
  // What is deleted goes at once, not when the server's queues are known to have passed it.
  'history.transferProcessorEnsureCloseBeforeDelete': false,
  'history.visibilityProcessorEnsureCloseBeforeDelete': false,
  // What the server keeps at hand of a run goes after ten minutes instead of an hour, and not only
  // when somebody asks for it again: finished runs alone came to two megabytes a minute at 30
  // messages per second.
  'history.cacheTTL': '10m',
  'history.cacheBackgroundEvict': { Enabled: true, LoopInterval: '1m', MaxEntryPerCall: 1024 },
};

/**
 * The command that runs a Temporal server on loopback. The same folder gives the same server again.
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
 * A write-ahead log with lazy flushing loses nothing when the process is killed, and gives 1.4
 * times the throughput.
 */
async function databaseArguments(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return [
    ...['--db-filename', join(folder, 'temporal.db')],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
  ];
}
