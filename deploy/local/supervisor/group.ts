import { StartProblem } from '../start-problem.ts';
import { keepRunning } from './component.ts';
import type { Component, ComponentOptions } from './component.ts';

/** Order of the shutdown: request handling first, databases last. */
const STAGES = ['front', 'work', 'servers'] as const;
export type Stage = (typeof STAGES)[number];

export interface Group {
  start: (stage: Stage, options: ComponentOptions) => Promise<void>;
  awaited: () => string[];
  restart: (stage: Stage) => void;
  /** Stops all components, stage by stage. No component can be started afterwards. */
  stop: () => Promise<void>;
  kill: () => void;
  isEnding: () => boolean;
}

export function createGroup(): Group {
  const started: { stage: Stage; component: Component }[] = [];
  const awaited = new Set<string>();
  let ending = false;
  const at = (stage: Stage) => started.filter((one) => one.stage === stage).map((one) => one.component);

  async function start(stage: Stage, options: ComponentOptions): Promise<void> {
    if (ending) throw new StartProblem('Ending already.');
    const log = (line: string) => {
      // Servers log errors about each other while they stop.
      if (!ending || stage !== 'servers') options.log(line);
    };
    const component = keepRunning({ ...options, log });
    started.push({ stage, component });
    awaited.add(options.name);
    await component.ready;
    awaited.delete(options.name);
  }

  async function stop(): Promise<void> {
    ending = true;
    for (const stage of STAGES) await Promise.all(at(stage).map((component) => component.stop()));
  }

  return {
    start,
    stop,
    awaited: () => [...awaited],
    restart: (stage) => at(stage).forEach((component) => component.restart()),
    isEnding: () => ending,
    kill() {
      ending = true;
      for (const { component } of started) component.kill();
    },
  };
}

/**
 * One Ctrl-C can arrive several times, from the terminal and from npm. Signals within this time
 * count as one.
 */
const SAME_MS = 500;

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
