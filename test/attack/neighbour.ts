import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { LOAD_MINUTES } from '../support/load.ts';
import { busiestMs, readThreadTimes } from './thread-times.ts';

const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts')).length;

/** Sends one request of an attacker or a neighbour. `at` counts the requests from 0. */
export type Ask = (at: number) => Promise<{ status: number; headers: Headers; body: any }>;

/** An honest organization whose requests are measured during an attack. */
export interface Neighbour {
  /** Requests by kind. Each round sends one of every kind at the same time. */
  requests: Record<string, Ask>;
  /**
   * The processes of the product. The everyday run (not `npm run test:load`) measures the CPU time
   * of their threads.
   */
  pids: () => readonly number[];
  /** Milliseconds between two requests of each kind in the load run (`npm run test:load`). */
  everyMs: number;
}

export type Seen = Record<string, Sent[]>;

export interface Sent {
  /** The status, or 0 without a response. */
  status: number;
  tookMs: number;
  /** The CPU milliseconds of the busiest thread of the product during the request. */
  cpuMs: number;
  /** The value of `Retry-After`, or 0. */
  retryAfterSeconds: number;
  code?: string;
}

export interface Attack<T> {
  name: string;
  attack: (at: number) => Promise<T>;
  /**
   * The number of rounds in the everyday run (not `npm run test:load`). Each round has one request
   * of each kind of the neighbour and `each` hostile requests.
   */
  rounds?: number;
  each?: number;
  /** The maximum number of concurrent hostile requests when a round of the everyday run begins. */
  most?: number;
  /**
   * For the load run (`npm run test:load`): the milliseconds between two hostile requests, and the
   * number of attacks in the file.
   */
  everyMs: number;
  parts: number;
}

interface Beside<T> {
  sent: T[];
  during: Seen;
}

const ROUNDS = 15;
const QUIET_ROUNDS = 10;
const QUIET_MS = 5_000;
const WARM_UP_MS = 2_000;

/** Sends requests of a neighbour without an attack. */
export async function measureQuiet(neighbour: Neighbour): Promise<Seen> {
  if (LOAD_MINUTES === 0) return sendRounds(neighbour, QUIET_ROUNDS, () => Promise.resolve());
  await sendPaced(neighbour, WARM_UP_MS);
  return sendPaced(neighbour, QUIET_MS);
}

/**
 * Attacks the product while a neighbour sends requests, asserts that the neighbour is unharmed, and
 * returns the results of the hostile requests.
 */
export async function attackBeside<T>(neighbour: Neighbour, quiet: Seen, attack: Attack<T>): Promise<T[]> {
  const { sent, during } = await sendBeside(neighbour, attack);
  for (const [kind, seen] of Object.entries(during)) {
    const before = quiet[kind] ?? [];
    console.log(`${attack.name}, ${kind}: quiet ${describeSent(before)}; during ${describeSent(seen)}`);
    expectUnharmed(seen, before);
  }
  return sent;
}

/**
 * Sends requests of a neighbour together with hostile requests, and returns the results of both.
 */
export function sendBeside<T>(neighbour: Neighbour, attack: Attack<T>): Promise<Beside<T>> {
  return LOAD_MINUTES > 0 ? sendBesidePaced(neighbour, attack) : sendBesideInRounds(neighbour, attack);
}

/**
 * Sends a fixed number of hostile requests per round of the neighbour. A slow machine changes the
 * duration but not the order.
 */
async function sendBesideInRounds<T>(
  neighbour: Neighbour,
  { attack, rounds = ROUNDS, each = 2, most = Infinity }: Attack<T>,
): Promise<Beside<T>> {
  const sent: Promise<T>[] = [];
  const underWay = new Set<Promise<unknown>>();
  const during = await sendRounds(neighbour, rounds, async (round) => {
    while (underWay.size >= most) await Promise.race(underWay);
    for (let n = 0; n < each; n += 1) {
      const hostile = attack(round * each + n);
      const ended = hostile.catch(() => undefined).finally(() => underWay.delete(ended));
      underWay.add(ended);
      sent.push(hostile);
    }
  });
  return { sent: await Promise.all(sent), during };
}

async function sendBesidePaced<T>(
  neighbour: Neighbour,
  { attack, everyMs, parts }: Attack<T>,
): Promise<Beside<T>> {
  const forMs = loadMs(parts);
  const [sent, during] = await Promise.all([pace(attack, { everyMs, forMs }), sendPaced(neighbour, forMs)]);
  return { sent, during };
}

/** Sends one request of each kind per round, after `begin`. */
async function sendRounds(
  { requests, pids }: Neighbour,
  rounds: number,
  begin: (round: number) => Promise<void>,
): Promise<Seen> {
  const seen: Seen = {};
  for (let round = 0; round < rounds; round += 1) {
    await begin(round);
    const kinds = Object.entries(requests).map(async ([kind, ask]) => {
      (seen[kind] ??= []).push(await measureRequest(() => ask(round), pids));
    });
    await Promise.all(kinds);
  }
  return seen;
}

/** Does not read the CPU times of threads, which would cost as much as the requests. */
async function sendPaced({ requests, everyMs }: Neighbour, forMs: number): Promise<Seen> {
  const kinds = Object.entries(requests).map(async ([kind, ask]) => {
    const sent = await pace((at) => measureRequest(() => ask(at)), { everyMs, forMs });
    return [kind, sent] as const;
  });
  return Object.fromEntries(await Promise.all(kinds));
}

/** Returns the milliseconds for one of `parts` attacks of a file in the load run (README.md). */
export function loadMs(parts: number): number {
  return (LOAD_MINUTES * 60_000) / FILES / parts;
}

/**
 * Sends a request every `everyMs` for `forMs` without waiting for responses, and returns all
 * results.
 */
export async function pace<T>(
  send: (at: number) => Promise<T>,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<T[]> {
  const underWay: Promise<T>[] = [];
  const begun = performance.now();
  for (let at = 0; at * everyMs < forMs; at += 1) {
    await wait(Math.max(0, begun + at * everyMs - performance.now()));
    underWay.push(send(at));
  }
  return Promise.all(underWay);
}

/** Sends a request and measures it. `pids` are the processes whose CPU time counts. */
export async function measureRequest(
  send: () => ReturnType<Ask>,
  pids: () => readonly number[] = () => [],
): Promise<Sent> {
  const before = readThreadTimes(pids());
  const begun = performance.now();
  const answer = await send().catch(() => undefined);
  const tookMs = performance.now() - begun;
  const cpuMs = busiestMs(before, readThreadTimes(pids()));
  if (!answer) return { status: 0, tookMs, cpuMs, retryAfterSeconds: 0 };
  const retryAfterSeconds = Number(answer.headers.get('retry-after') ?? 0);
  return { status: answer.status, tookMs, cpuMs, retryAfterSeconds, code: answer.body?.code };
}

/** Counts requests by status, such as `{ 200: 80 }`. */
export function countStatuses(sent: readonly Sent[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of sent) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Formats requests for the log, such as `80 × 200, p99 31 ms`. */
export function describeSent(sent: readonly Sent[]): string {
  const counts = Object.entries(countStatuses(sent)).map(([status, count]) => `${count} × ${status}`);
  const p99 = quantile(
    sent.map(({ tookMs }) => tookMs),
    0.99,
  );
  const cpu = sent.map(({ cpuMs }) => cpuMs).sort((a, b) => b - a);
  return `${counts.join(', ')}, p99 ${p99.toFixed(0)} ms, CPU ${cpu
    .slice(0, 4)
    .map((ms) => ms.toFixed(0))
    .join(' ')} ms`;
}

/** Asserts that the neighbour gets the usual responses without delay. */
export function expectUnharmed(during: readonly Sent[], quiet: readonly Sent[]): void {
  const usual = Object.keys(countStatuses(quiet));
  expect(usual.every((status) => status.startsWith('2'))).toBe(true);
  expect(Object.keys(countStatuses(during))).toEqual(usual);
  expectNotHeldUp(during, quiet);
}

/**
 * A usual time below this value counts as this value, because so short a time depends more on the
 * resolution of the clock than on the work of the product.
 */
const LEAST_QUIET_MS = 75;

/**
 * Asserts that a neighbour does not wait behind hostile work. In the everyday run (not `npm run
 * test:load`), the busiest thread must spend less than ten times the usual CPU time in at least
 * nine of ten requests. CPU time does not grow while the machine stalls or runs other processes. In
 * the load run, the 99th percentile of the latencies must stay below a second and below ten times
 * the value without an attack.
 */
export function expectNotHeldUp(during: readonly Sent[], quiet: readonly Sent[]): void {
  const cpu = (sent: readonly Sent[]) => sent.map(({ cpuMs }) => cpuMs);
  const times = (sent: readonly Sent[]) => sent.map(({ tookMs }) => tookMs);
  if (LOAD_MINUTES === 0) {
    const usual = Math.max(LEAST_QUIET_MS, quantile(cpu(quiet), 0.5));
    expect(quantile(cpu(during), 0.9), 'CPU milliseconds').toBeLessThan(10 * usual);
    return;
  }
  const p99 = quantile(times(during), 0.99);
  expect(p99).toBeLessThan(10 * Math.max(LEAST_QUIET_MS, quantile(times(quiet), 0.99)));
  expect(p99).toBeLessThan(1_000);
}

/** Returns the quantile `part` of the times: 0.99 for the 99th percentile. */
export function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
