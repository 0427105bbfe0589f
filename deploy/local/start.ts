#!/usr/bin/env node
// Entry point of `npm start` and `npx parlance`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../platform/config/load.ts';
import { readStartConfig } from '../../platform/config/start.ts';
import { projectRoot } from './paths.ts';
import { platformProblem } from './platform.ts';
import { StartProblem } from './start-problem.ts';
import { banner } from './supervisor/banner.ts';
import { claimDataFolder } from './supervisor/data-folder.ts';
import type { DataFolder } from './supervisor/data-folder.ts';
import { createLabelledSinks } from './lines.ts';
import { createGroup, onShutdown } from './supervisor/group.ts';
import { endLeftovers } from './supervisor/leftovers.ts';
import { settlePorts } from './ports.ts';
import { startProduct } from './supervisor/product.ts';
import { rebuild, watchSources } from './supervisor/watch.ts';

const SAY_EVERY_MS = 5_000;
/**
 * Under `npm run dev` a change in these folders triggers no build. A change of the pages restarts
 * the API; other changes also restart the worker.
 */
const UNWATCHED = ['deploy/local', 'examples'];
const PAGES = 'bundling the pages';

const label = createLabelledSinks(process.stdout, process.stdout.isTTY && !process.env['NO_COLOR']);
const say = label('parlance');
const group = createGroup();
let folder: DataFolder | undefined;

// A closed terminal must not end this process before its children.
process.stdout.on('error', () => undefined);
onShutdown(
  () => {
    say('ending …');
    void endProcess(0);
  },
  () => {
    group.kill();
    process.exit(1);
  },
);

try {
  await start();
} catch (error) {
  if (!group.isEnding()) {
    say(error instanceof StartProblem ? error.message : String((error as Error).stack));
    await endProcess(1);
  }
}

async function start(): Promise<void> {
  const startedAt = Date.now();
  const problem = platformProblem(process.platform);
  if (problem !== undefined) throw new StartProblem(problem);
  assertNoArguments(process.argv.slice(2));
  // Files of this process and its children are private to this user.
  process.umask(0o077);
  const given = loadConfig(readStartConfig);
  folder = await claimDataFolder(given.dataDir);
  const ended = await endLeftovers(folder.runDir);
  if (ended.length > 0) say(`ended what an earlier start had left running: ${ended.join(', ')}`);
  const env = await settlePorts(given, process.env);
  const config = readStartConfig(env);
  say(`starting on ${config.dataDir} …`);
  const stopSaying = reportWaiting();
  try {
    const facts = await startProduct({ config, env, runDir: folder.runDir, group, label, say });
    banner({ ...facts, node: process.versions.node, startedInMs: Date.now() - startedAt }).forEach(say);
  } finally {
    stopSaying();
  }
  if (process.argv.includes('--watch')) watch();
}

/**
 * Throws StartProblem for an argument other than `--watch`. The message names the bot command line,
 * whose package has nearly the same name.
 */
function assertNoArguments(words: string[]): void {
  const [unknown] = words.filter((word) => word !== '--watch');
  if (unknown === undefined) return;
  throw new StartProblem(
    `This runs the whole product and does not know "${unknown}": variables say how (.env.example). The command for those who write bots is npx @parlance/cli.`,
  );
}

function reportWaiting(): () => void {
  const timer = setInterval(() => {
    if (group.awaited().length > 0) say(`waiting for ${group.awaited().join(' and ')} …`);
  }, SAY_EVERY_MS);
  return () => clearInterval(timer);
}

function watch(): void {
  const root = projectRoot();
  const build = readFileSync(join(root, 'tsconfig.build.json'), 'utf8');
  const { include } = JSON.parse(build) as { include: string[] };
  const watched = include.filter((name) => !UNWATCHED.includes(name));
  watchSources(root, watched, async () => {
    const built = await rebuild(label('build'));
    if (built === null) say('not built; what ran before runs on');
    if (!built?.length || group.isEnding()) return;
    if (built.some((part) => part !== PAGES)) group.restart('work');
    group.restart('front');
  });
}

async function endProcess(code: number): Promise<void> {
  await group.stop();
  await folder?.lock.release();
  process.exit(code);
}
