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
import { createGroup } from './supervisor/group.ts';
import { endLeftovers } from './supervisor/leftovers.ts';
import { settlePorts } from './ports.ts';
import { startProduct } from './supervisor/product.ts';
import { watchSources } from './supervisor/watch.ts';
import type { Writable } from 'node:stream';
import type { LineSink } from './lines.ts';
import { readFile } from 'node:fs/promises';
import { launch } from './program.ts';

const WIDTH = 8;

const COLOURS = [36, 33, 35, 32, 34];

/**
 * One Ctrl-C can arrive several times, from the terminal and from npm. Signals within this time
 * count as one.
 */
const SAME_MS = 500;

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

/** Points to the bot command line, whose package name is nearly the same. */
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

/**
 * Returns a factory of sinks that prefix each line with an aligned process name, coloured if
 * `isColoured`.
 */
export function createLabelledSinks(out: Writable, isColoured: boolean): (name: string) => LineSink {
  let used = 0;
  return (name) => {
    const label = name.padEnd(WIDTH);
    const colour = COLOURS[used++ % COLOURS.length] ?? 0;
    const prefix = isColoured ? `\u001b[${colour}m${label}\u001b[39m` : label;
    return (line) => {
      if (line.trim() !== '') out.write(`${prefix} ${line}\n`);
    };
  };
}

/**
 * Builds changed sources and returns the names of the rebuilt parts
 * (deploy/local/prepare/build.mjs). Returns null if the build failed, which has printed the reason.
 */
async function rebuild(log: LineSink): Promise<string[] | null> {
  const root = projectRoot();
  const before = await readStamp(root);
  const prepare = join(root, 'deploy/local/prepare.mjs');
  const end = await launch({ command: process.execPath, args: [prepare] }, { onLine: log }).ended;
  if (end !== 'code 0') return null;
  const after = await readStamp(root);
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

/**
 * Returns the fingerprints of dist by part; empty after a failed build or during a build in another
 * terminal.
 */
async function readStamp(root: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(root, 'dist', '.stamp'), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Calls `gently` at the first SIGINT, SIGTERM or SIGHUP, and `atOnce` at the second. */
export function onShutdown(gently: () => void, atOnce: () => void): void {
  let askedAt: number | undefined;
  const ask = () => {
    const now = Date.now();
    if (askedAt === undefined) {
      askedAt = now;
      gently();
    } else if (now - askedAt > SAME_MS) atOnce();
  };
  process.on('SIGINT', ask).on('SIGTERM', ask).on('SIGHUP', ask);
}
