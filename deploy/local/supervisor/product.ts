import type { StartConfig } from '../../../platform/config/start.ts';
import type { LineSink } from '../lines.ts';
import { nodeProgram } from '../node-program.ts';
import type { Program } from '../program.ts';
import type { Facts } from './banner.ts';
import type { ComponentOptions } from './component.ts';
import { firstAdmin } from './first-admin.ts';
import type { Group, Stage } from './group.ts';
import { waitForApi } from './ready.ts';
import { loadSecret } from './secret.ts';
import { storeServer, temporalServer } from './servers.ts';
import type { Server } from './servers.ts';

/** All three together stay below the ten seconds that Ctrl-C may take. */
const STOP_MS: Record<Stage, number> = { front: 3_000, work: 4_000, servers: 2_000 };

/**
 * Nobody waits for a proxy, and each ends by itself before it is killed. One worker is any version.
 */
const QUICK_END = { SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '3000', WORKER_BUILD_ID: '' };

export interface ProductOptions {
  config: StartConfig;
  /** What the worker and the API inherit. */
  env: NodeJS.ProcessEnv;
  runDir: string;
  group: Group;
  /** Makes the sink for what a process prints. */
  label: (name: string) => LineSink;
  say: LineSink;
}

/**
 * Starts the servers, then the worker and the API, and answers when the API says that all of them
 * answer.
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

/** What the operator has set, and what we have found and made. */
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
