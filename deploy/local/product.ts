import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { StartConfig } from '../../platform/config/processes.ts';
import { projectRoot } from '../../platform/config/load.ts';
import type { LineSink, Program } from './program.ts';
import { firstAdmin, loadSecret } from './secrets.ts';
import { storeServer, temporalServer } from './servers.ts';
import type { Server } from './servers.ts';
import type { ComponentOptions, Group, Stage } from './supervisor.ts';

/** The sum stays below the ten seconds that Ctrl-C may take. */
const STOP_MS: Record<Stage, number> = { front: 3_000, work: 4_000, servers: 2_000 };

/** Each process stops itself before it is killed. The only worker is unversioned. */
const QUICK_END = { SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '3000', WORKER_BUILD_ID: '' };

interface ProductOptions {
  config: StartConfig;
  env: NodeJS.ProcessEnv;
  runDir: string;
  group: Group;
  label: (name: string) => LineSink;
  say: LineSink;
  progress: LineSink;
}

/** Starts the servers, then the worker and the API. Resolves when the API reports all as ready. */
export async function startProduct(options: ProductOptions): Promise<Facts> {
  const { config, say, progress } = options;
  const report = { log: say, progress };
  const [temporal, store] = await Promise.all([
    temporalServer(config, report).then((server) => startServer(options, 'temporal', server)),
    storeServer(config, report).then((server) => startServer(options, 'store', server)),
  ]);
  const admin = await firstAdmin(config);
  const env = await buildEnvironment(options, { temporal, store });
  const apiEnv = { ...env, BOOTSTRAP_ADMIN_PASSWORD: admin.password };
  const ready = (signal: AbortSignal) => waitForApi(config, signal);
  await Promise.all([
    startComponent(options, 'work', { name: 'worker', program: nodeProgram('worker/main', env), ready }),
    startComponent(options, 'front', {
      name: 'api',
      program: nodeProgram('api/main', apiEnv),
      ready,
      onMessage: admin.onMessage,
    }),
  ]);
  return {
    publicUrl: config.publicUrl,
    temporalUiUrl: temporal.uiUrl,
    adminEmail: admin.email,
    generatedPassword: await admin.passwordToShow(),
    temporal: temporal.title,
    temporalCommand: `${temporal.command ?? 'temporal'} --address ${temporal.address}`,
    store: store.title,
  };
}

async function startServer(options: ProductOptions, name: string, server: Server): Promise<Server> {
  const { program, ready, advice, isHidden } = server;
  if (!program) return server;
  const log = options.label(name);
  const logShown = (line: string) => {
    if (!isHidden?.(line)) log(line);
  };
  await startComponent(options, 'servers', { name, program, ready, advice, log: logShown });
  return server;
}

async function startComponent(
  { group, runDir, label, say }: ProductOptions,
  stage: Stage,
  component: Omit<ComponentOptions, 'stopMs' | 'runDir' | 'say' | 'log'> & { log?: LineSink },
): Promise<void> {
  const log = component.log ?? label(component.name);
  await group.start(stage, { ...component, stopMs: STOP_MS[stage], runDir, log, say });
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
    // This process shows the lines of the others as text.
    LOG_FORMAT: 'json',
    MONGODB_URI: store.address,
    AUTH_SECRET: config.authSecret ?? (await loadSecret(config.dataDir)),
    WEBHOOK_ALLOWED_NETWORKS: config.webhookAllowedNetworks.join(','),
    ...QUICK_END,
  };
}

/** Runs the compiled file of a module, or its source if this process runs from sources (tests). */
function nodeProgram(module: string, env: NodeJS.ProcessEnv): Program {
  const isSource = import.meta.url.endsWith('.ts');
  const file = isSource ? `${module}.ts` : join('dist', `${module}.js`);
  // The test runner has no import.meta.resolve.
  const tsx = () => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const loader = isSource ? ['--import', tsx()] : [];
  const args = ['--enable-source-maps', ...loader, join(projectRoot(), file)];
  return { command: process.execPath, args, env, channel: true };
}

const ATTEMPT_MS = 2_000;
const POLL_MS = 200;
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

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

interface Facts {
  publicUrl: string;
  temporalUiUrl?: string | undefined;
  adminEmail: string;
  /** Present only if this start created the admin with it. */
  generatedPassword?: string | undefined;
  temporal: string;
  temporalCommand: string;
  store: string;
}

/** First major version of Node whose V8 and gRPC need less CPU (docs/benchmarks.md). */
const FAST_NODE = 24;

export function banner(facts: Facts & { node: string; startedInMs: number }): string[] {
  const isSlowNode = Number.parseInt(facts.node, 10) < FAST_NODE;
  const rows: [string, string | false | undefined][] = [
    ['Begin here', facts.publicUrl],
    ['Console', `${facts.publicUrl}/console`],
    ['API', `${facts.publicUrl}/v2`],
    ['Docs', `${facts.publicUrl}/docs`],
    ['Temporal UI', facts.temporalUiUrl],
    ['Admin', facts.adminEmail],
    ['Password', facts.generatedPassword && `${facts.generatedPassword}   (shown this once)`],
    ['Store', facts.store],
    ['Temporal', facts.temporal],
    ['Operators', facts.temporalCommand],
    ['Node', isSlowNode && `${facts.node}; with ${FAST_NODE} or newer Parlance does about a fifth more`],
  ];
  return [
    '',
    `Parlance is ready after ${(facts.startedInMs / 1000).toFixed(1)} s. Ctrl-C ends it.`,
    ...rows.flatMap(([name, value]) => (value ? [`  ${name.padEnd(12)} ${value}`] : [])),
    '',
  ];
}
