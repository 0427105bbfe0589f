import { setTimeout as wait } from 'node:timers/promises';
import { respondWith, respondAfter, closeAtOnce, closeHalfWay, flood, hang } from '../support/receiver.ts';
import type { Behaviour } from '../support/receiver.ts';
import type { Weather } from '../support/tcp-proxy.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';
import { PROCESSES, PRODUCT_PROCESSES } from './stage.ts';
import type { Stage } from './stage.ts';
import type { Witness } from './witness.ts';

/**
 * A fault. `happen` resolves when the cause of the fault has ended. The product may recover later.
 */
export interface Fault {
  name: string;
  happen: () => Promise<void>;
}

export interface FaultContext {
  stage: Stage;
  witnesses: Witness[];
  journal: Journal;
  random: Random;
}

/** Groups of faults. The faults of one lane happen in sequence, and the lanes run in parallel. */
export const LANES = ['processes', 'ways', 'surroundings'] as const;
export type Lane = (typeof LANES)[number];

const HOUR_MS = 3600_000;

/**
 * Returns a function that returns the next fault of a lane: all faults in random order, and then
 * all of them in another order.
 */
export function dealFaults(lane: Lane, context: FaultContext): () => Fault {
  let deck: Fault[] = [];
  return () => {
    if (deck.length === 0) deck = context.random.shuffled(DECKS[lane](context));
    return deck.pop()!;
  };
}

const DECKS: Record<Lane, (context: FaultContext) => Fault[]> = {
  processes: (context) => [
    ...PROCESSES.flatMap((name) => [kill, kill, freeze, restart].map((fault) => fault(context, name))),
    ...[fullDisk, fullDisk, fullDisk].map((fault) => fault(context)),
  ],
  ways: (context) =>
    (['store', 'store', 'temporal'] as const).flatMap((way) =>
      weathers(context.random).map((weather) => badWay(context, way, weather)),
    ),
  surroundings: (context) => [
    ...Object.keys(BEHAVIOURS).map((name) => badReceiver(context, name)),
    ...[clockFault, clockFault, clockFault].map((fault) => fault(context)),
  ],
};

/** Ends the effects of faults on connections, receivers and clocks. */
export async function healAll({ stage, witnesses }: FaultContext): Promise<void> {
  stage.ways.store.weather({ kind: 'clear' });
  stage.ways.temporal.weather({ kind: 'clear' });
  for (const witness of witnesses) witness.behave(respondWith(200));
  await Promise.all(PRODUCT_PROCESSES.map((name) => stage.shiftClock(name, 0)));
}

function kill({ stage, journal }: FaultContext, name: (typeof PROCESSES)[number]): Fault {
  return {
    name: `kill ${name}`,
    async happen() {
      if (await stage.processes[name].kill()) journal.count(`kills of ${name}`);
    },
  };
}

function freeze({ stage, journal, random }: FaultContext, name: (typeof PROCESSES)[number]): Fault {
  const ms = Math.round(random.between(500, 8_000));
  return {
    name: `freeze ${name} for ${ms} ms`,
    async happen() {
      journal.count(`freezes of ${name}`);
      await stage.processes[name].freeze(ms);
    },
  };
}

function restart({ stage, journal }: FaultContext, name: (typeof PROCESSES)[number]): Fault {
  return {
    name: `restart ${name}`,
    happen() {
      journal.count(`restarts of ${name}`);
      stage.processes[name].restart();
      return Promise.resolve();
    },
  };
}

function fullDisk({ stage, journal, random }: FaultContext): Fault {
  const ms = Math.round(random.between(1_000, 5_000));
  return {
    name: `full disk for ${ms} ms`,
    async happen() {
      try {
        await stage.fillDisk(true);
      } catch (error) {
        journal.say(`no full disk here: ${String(error)}`);
        return;
      }
      journal.count('full disks');
      await wait(ms);
      await stage.fillDisk(false);
    },
  };
}

function weathers(random: Random): Weather[] {
  return [
    { kind: 'slow', delayMs: Math.round(random.between(10, 300)) },
    { kind: 'stalled' },
    { kind: 'cut' },
  ];
}

function badWay(
  { stage, journal, random }: FaultContext,
  way: 'store' | 'temporal',
  weather: Weather,
): Fault {
  const ms = Math.round(weather.kind === 'cut' ? random.between(0, 3_000) : random.between(500, 6_000));
  const degree = weather.kind === 'slow' ? ` by ${weather.delayMs} ms` : '';
  return {
    name: `${way} ${weather.kind}${degree} for ${ms} ms`,
    async happen() {
      journal.count(`${way} ${weather.kind}`);
      stage.ways[way].weather(weather);
      await wait(ms);
      stage.ways[way].weather({ kind: 'clear' });
    },
  };
}

const BEHAVIOURS: Record<string, (random: Random) => Behaviour> = {
  slow: (random) => respondAfter(random.integer(50, 2_500)),
  failing: (random) => respondWith(random.pick([500, 503, 429, 404])),
  hanging: () => hang,
  closing: () => closeAtOnce,
  'closing half-way': () => closeHalfWay,
  flooding: () => flood(8 * 1024 * 1024),
};

function badReceiver({ witnesses, journal, random }: FaultContext, name: string): Fault {
  const witness = random.pick(witnesses);
  const behaviour = BEHAVIOURS[name]!(random);
  const ms = Math.round(random.between(1_000, 7_000));
  return {
    name: `receiver ${witness.name} ${name} for ${ms} ms`,
    async happen() {
      journal.count(`receiver ${name}`);
      witness.behave(behaviour);
      await wait(ms);
      witness.behave(respondWith(200));
    },
  };
}

/**
 * Returns a fault that shifts the clock of a product process for some seconds. The servers keep the
 * correct time, because the product depends on their clocks.
 */
function clockFault({ stage, journal, random }: FaultContext): Fault {
  const name = random.pick(PRODUCT_PROCESSES);
  const shiftMs = Math.round(
    random.pick([-1, 1]) * random.pick([random.between(1_000, 60_000), random.between(0, 3 * HOUR_MS)]),
  );
  const ms = Math.round(random.between(2_000, 12_000));
  return {
    name: `clock of ${name} wrong by ${Math.round(shiftMs / 1000)} s for ${ms} ms`,
    async happen() {
      journal.count('wrong clocks');
      await stage.shiftClock(name, shiftMs);
      await wait(ms);
      await stage.shiftClock(name, 0);
    },
  };
}
