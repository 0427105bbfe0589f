import type { StartConfig } from '../../../platform/config/start.ts';
import type { LineSink } from '../lines.ts';
import type { Program } from '../program.ts';
import type { Facts } from './banner.ts';
import type { ComponentOptions } from './component.ts';
import type { Group, Stage } from './group.ts';
import { loadSecret, generatePassword, readOrCreate } from './secret.ts';
import { storeServer, temporalServer } from './servers.ts';
import type { Server } from './servers.ts';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../paths.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { rm } from 'node:fs/promises';

/** The sum stays below the ten seconds that Ctrl-C may take. */
const STOP_MS: Record<Stage, number> = { front: 3_000, work: 4_000, servers: 2_000 };

/**
 * No proxy needs a delay, and each process stops itself before it is killed. The only worker is
 * unversioned.
 */
const QUICK_END = { SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '3000', WORKER_BUILD_ID: '' };

export interface ProductOptions {
  config: StartConfig;
  env: NodeJS.ProcessEnv;
  runDir: string;
  group: Group;
  label: (name: string) => LineSink;
  say: LineSink;
}

/**
 * Starts the servers, then the worker and the API. Resolves when the API reports all of them as
 * ready.
 */
export async function startProduct(options: ProductOptions): Promise<Omit<Facts, 'node' | 'startedInMs'>> {
  const { config } = options;
  const [temporal, store] = await Promise.all([
    startServer(options, 'temporal', temporalServer),
    startServer(options, 'store', storeServer),
  ]);
  const admin = await firstAdmin(config);
  const env = await buildEnvironment(options, { temporal, store });
  const ready = (signal: AbortSignal) => waitForApi(config, signal);
  const api = { ...env, BOOTSTRAP_ADMIN_PASSWORD: admin.password };
  await Promise.all([
    startComponent(options, 'work', { name: 'worker', program: ourProcess('worker/main', env), ready }),
    startComponent(options, 'front', {
      name: 'api',
      program: ourProcess('api/main', api),
      ready,
      onMessage: admin.onMessage,
    }),
  ]);
  const generatedPassword = await admin.passwordToShow();
  return {
    publicUrl: config.publicUrl,
    adminEmail: admin.email,
    temporal: temporal.title,
    temporalCommand: `${temporal.command ?? 'temporal'} --address ${temporal.address}`,
    store: store.title,
    ...(temporal.uiUrl === undefined ? {} : { temporalUiUrl: temporal.uiUrl }),
    ...(generatedPassword === undefined ? {} : { generatedPassword }),
  };
}

async function startServer(
  options: ProductOptions,
  name: string,
  find: (config: StartConfig, log: LineSink) => Promise<Server>,
): Promise<Server> {
  const server = await find(options.config, options.say);
  const { program, ready, advice, isMisleading = () => false } = server;
  if (!program) return server;
  const log = options.label(name);
  await startComponent(options, 'servers', {
    ...{ name, program, ready },
    ...(advice ? { advice } : {}),
    log: (line) => isMisleading(line) || log(line),
  });
  return server;
}

async function startComponent(
  { group, runDir, label, say }: ProductOptions,
  stage: Stage,
  component: Pick<ComponentOptions, 'name' | 'program' | 'ready' | 'onMessage' | 'advice'> &
    Partial<Pick<ComponentOptions, 'log'>>,
): Promise<void> {
  const log = component.log ?? label(component.name);
  await group.start(stage, { ...component, stopMs: STOP_MS[stage], runDir, log, say });
}

function ourProcess(module: string, env: NodeJS.ProcessEnv): Program {
  return { ...nodeProgram(module), env, channel: true };
}

async function buildEnvironment(
  { config, env }: ProductOptions,
  { temporal, store }: { temporal: Server; store: Server },
): Promise<NodeJS.ProcessEnv> {
  return {
    ...env,
    TEMPORAL_ADDRESS: temporal.address,
    ...(temporal.uiUrl === undefined ? {} : { TEMPORAL_UI_URL: temporal.uiUrl }),
    ECHO_BOT: String(config.echoBot),
    DATA_DIR: config.dataDir,
    MONGODB_URI: store.address,
    AUTH_SECRET: config.authSecret ?? (await loadSecret(config.dataDir)),
    WEBHOOK_ALLOWED_NETWORKS: config.webhookAllowedNetworks.join(','),
    ...QUICK_END,
  };
}

/**
 * Returns the command that runs a module, such as `api/main`, in a Node process: the compiled file,
 * or the source if this process runs from the sources (`npm run dev`, tests).
 */
function nodeProgram(module: string, args: string[] = []): Program {
  const fromSources = import.meta.url.endsWith('.ts');
  const file = fromSources
    ? join(projectRoot(), `${module}.ts`)
    : join(projectRoot(), 'dist', `${module}.js`);
  const loader = fromSources ? ['--import', tsx()] : [];
  return { command: process.execPath, args: ['--enable-source-maps', ...loader, file, ...args] };
}

// The test runner has no import.meta.resolve.
function tsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}

const ATTEMPT_MS = 2_000;
const POLL_MS = 200;
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Waits until /readyz reports the store, Temporal and a worker as ready. Rejects when `signal` is
 * aborted.
 */
export async function waitForApi(
  { host, port }: Pick<StartConfig, 'host' | 'port'>,
  signal: AbortSignal,
): Promise<void> {
  const reachable = ANY_ADDRESS[host] ?? host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/readyz`;
  while (!(await isOk(url))) await sleep(POLL_MS, undefined, { signal });
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

const REPORT_MS = 2_000;

interface BootstrapReport {
  type: 'bootstrap';
  email: string;
  created: boolean;
}

interface FirstAdmin {
  email: string;
  password: string;
  onMessage: (message: unknown) => void;
  /**
   * Returns the password if it was generated and this start created the admin with it. Waits a
   * moment for the API's report.
   */
  passwordToShow: () => Promise<string | undefined>;
}

/**
 * Chooses the first admin's password. A generated password is stored in `DATA_DIR/admin-password`
 * before the admin is created (docs/decisions/first-password.md): otherwise an interrupted start
 * could leave an admin whose password is lost.
 */
export async function firstAdmin({ bootstrapAdmin, dataDir }: StartConfig): Promise<FirstAdmin> {
  const path = join(dataDir, 'admin-password');
  const given = bootstrapAdmin.password;
  const { text: password, isNew } =
    given === undefined ? await readOrCreate(path, generatePassword) : { text: given, isNew: false };
  let hear: (created: boolean | 'unknown') => void;
  const created = new Promise<boolean | 'unknown'>((resolve) => {
    hear = resolve;
  });
  return {
    email: bootstrapAdmin.email,
    password,
    onMessage(message) {
      if (isBootstrapReport(message)) hear(message.created);
    },
    async passwordToShow() {
      const timer = setTimeout(() => hear('unknown'), REPORT_MS);
      const wasCreated = await created;
      clearTimeout(timer);
      // The admin exists with another password, so the file would mislead.
      if (wasCreated === false && isNew) await rm(path, { force: true });
      return wasCreated === true && given === undefined ? password : undefined;
    },
  };
}

function isBootstrapReport(message: unknown): message is BootstrapReport {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'bootstrap';
}
