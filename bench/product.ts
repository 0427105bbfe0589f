import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../embedded/ports.ts';

/** The whole product as `npm start` runs it, in a folder of its own. */
export interface Product {
  temporalAddress: string;
  organization: string;
  /** Calls the API as the admin; rejects unless the answer is 2xx. */
  call: (method: string, path: string, body?: unknown) => Promise<any>;
  close: () => Promise<void>;
}

/** Starts a compiled program of ours and resolves when it has printed `ready`. */
export async function startProgram(
  module: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  ready = 'ready',
) {
  const script = fileURLToPath(new URL(`../${module}.js`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes(ready)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${module} ended with ${code ?? 'a signal'}`)));
  });
  return {
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export async function startProduct(): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const [port, temporalPort, uiPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const supervisor = await startProgram(
    'embedded/start',
    [],
    {
      DATA_DIR: folder,
      PORT: String(port),
      TEMPORAL_PORT: String(temporalPort),
      TEMPORAL_UI_PORT: String(uiPort),
      RATE_LIMIT_PER_SECOND: '0',
      LOG_LEVEL: 'warn',
    },
    'Parlance is ready',
  );
  const base = `http://localhost:${port}/v2`;
  const password = (await readFile(join(folder, 'admin-password'), 'utf8')).trim();
  const session = await callApi(base, {
    method: 'POST',
    path: '/auth/token',
    body: { email: 'admin@parlance.local', password },
  });
  return {
    temporalAddress: `127.0.0.1:${temporalPort}`,
    organization: session.organization,
    call: (method, path, body) => callApi(base, { method, path, body, token: session.token }),
    async close() {
      await supervisor.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function callApi(
  base: string,
  { method, path, body, token }: { method: string; path: string; body?: unknown; token?: string },
) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: any = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
  return answer;
}
