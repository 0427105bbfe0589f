import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartConfig } from '../../platform/config/processes.ts';
import { StartProblem } from './start-problem.ts';

/** Outgoing connections use higher ports, and fetch refuses some lower ports. */
const LISTENING = { from: 12_000, below: 32_768 };
const POLL_MS = 50;
const given = new Set<number>();

/** Returns a free TCP port on loopback, never the same port twice in a process. */
export async function freePort(): Promise<number> {
  const port = randomInt(LISTENING.from, LISTENING.below);
  if (given.has(port)) return freePort();
  // Added before the check, so that a concurrent call cannot return the port.
  given.add(port);
  return (await isPortFree(port, '127.0.0.1')) ? port : freePort();
}

/** Rejects if listening fails for another reason than a port in use. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  try {
    await listen(port, host);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** Waits for a listener at a loopback port or a Unix socket. */
export async function waitForListener(at: number | string, signal: AbortSignal): Promise<void> {
  while (!(await isListenedOn(at))) await sleep(POLL_MS, undefined, { signal });
}

function isListenedOn(at: number | string): Promise<boolean> {
  return new Promise((resolve) => {
    const place = typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' };
    const socket = connect(place, () => end(true));
    socket.on('error', () => end(false));
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
  });
}

async function listen(port: number, host: string): Promise<void> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

interface PortRequest {
  variable: string;
  port: number;
  host: string;
}

/**
 * Returns the environment with each port 0 replaced by a free port. Throws StartProblem for a port
 * in use.
 */
export async function settlePorts(config: StartConfig, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const settled: NodeJS.ProcessEnv = { ...env };
  for (const { variable, port, host } of wantedPorts(config)) {
    if (port === 0) settled[variable] = String(await freePort());
    else if (!(await canListen(port, host))) {
      throw new StartProblem(
        `Port ${port} (${variable}) is taken by another program; stop that, or set another ${variable}.`,
      );
    }
  }
  return settled;
}

function wantedPorts(config: StartConfig): PortRequest[] {
  const api = { variable: 'PORT', port: config.port, host: config.host };
  if (config.temporal !== undefined) return [api];
  return [
    api,
    { variable: 'TEMPORAL_PORT', port: config.temporalPort, host: '127.0.0.1' },
    { variable: 'TEMPORAL_UI_PORT', port: config.temporalUiPort, host: '127.0.0.1' },
  ];
}

async function canListen(port: number, host: string): Promise<boolean> {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    throw new StartProblem(`Nothing can listen on port ${port} of HOST: ${(error as Error).message}`);
  }
}
