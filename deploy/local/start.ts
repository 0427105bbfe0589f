#!/usr/bin/env node
// Entry point of `npm start`, `npm run dev` and the program `parlance-server`.
import { loadConfig } from '../../platform/config/load.ts';
import { isColoured, isText } from '../../platform/config/log-line.ts';
import type { LogFormat } from '../../platform/config/log-line.ts';
import { readStartConfig } from '../../platform/config/processes.ts';
import { claimDataFolder, endLeftovers } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { createOutput } from './output.ts';
import { settlePorts } from './ports.ts';
import { banner, startProduct } from './product.ts';
import { StartProblem, platformProblem } from './start-problem.ts';
import { createGroup, onShutdown } from './supervisor.ts';
import { rebuildOnChange } from './watch.ts';

const REPORT_MS = 5_000;

let logFormat: LogFormat;
const { label, progress, print } = createOutput(process.stdout, {
  isTerminal: process.stdout.isTTY,
  isColoured: isColoured(),
  isText: () => isText(logFormat),
});
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
  logFormat = given.logFormat;
  folder = await claimDataFolder(given.dataDir);
  const ended = await endLeftovers(folder.runDir);
  if (ended.length > 0) say(`ended what an earlier start had left running: ${ended.join(', ')}`);
  const env = await settlePorts(given, process.env);
  const config = readStartConfig(env);
  say(`starting on ${config.dataDir} …`);
  const timer = setInterval(() => {
    if (group.awaited().length > 0) progress(`waiting for ${group.awaited().join(' and ')} …`);
  }, REPORT_MS);
  try {
    const facts = await startProduct({ config, env, runDir: folder.runDir, group, label, say, progress });
    print(banner({ ...facts, node: process.versions.node, startedInMs: Date.now() - startedAt }));
  } finally {
    clearInterval(timer);
  }
  if (process.argv.includes('--watch')) rebuildOnChange(group, { say, log: label('build') });
}

/** Throws StartProblem for any argument but `--watch`. */
function assertNoArguments(words: string[]): void {
  const [unknown] = words.filter((word) => word !== '--watch');
  if (unknown === undefined) return;
  throw new StartProblem(
    `This command runs the whole product and has no option "${unknown}": set environment variables instead (.env.example). The command for developers of bots is npx --no @parlance/cli.`,
  );
}

async function endProcess(code: number): Promise<void> {
  await group.stop();
  await folder?.lock.release();
  process.exit(code);
}
