import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Answer } from '../support/client.ts';

const MINUTES = Number(process.env['PARLANCE_ATTACK_MINUTES'] ?? 0);
const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts')).length;

/**
 * How long one of `parts` attacks of a file takes: its short form, or its part of what the suite is
 * given (README.md).
 */
export function attackMs(shortMs: number, parts: number): number {
  return Math.max(shortMs, (MINUTES * 60_000) / FILES / parts);
}

/** What became of one request. */
export interface Sent {
  /** 0: nobody answered. */
  status: number;
  tookMs: number;
  /** The header `Retry-After`; 0 without it. */
  retryAfterSeconds: number;
  code?: string;
}

/**
 * Sends a request every `everyMs` for `forMs`, whatever becomes of those before, and answers what
 * became of each once all are answered.
 */
export async function pace(
  send: (at: number) => Promise<Answer<any>>,
  { everyMs, forMs }: { everyMs: number; forMs: number },
): Promise<Sent[]> {
  const underWay: Promise<Sent>[] = [];
  const begun = performance.now();
  for (let at = 0; at * everyMs < forMs; at += 1) {
    await wait(Math.max(0, begun + at * everyMs - performance.now()));
    underWay.push(timed(() => send(at)));
  }
  return Promise.all(underWay);
}

async function timed(send: () => Promise<Answer<any>>): Promise<Sent> {
  const begun = performance.now();
  const answer = await send().catch(() => undefined);
  const tookMs = performance.now() - begun;
  if (!answer) return { status: 0, tookMs, retryAfterSeconds: 0 };
  const retryAfterSeconds = Number(answer.headers.get('retry-after') ?? 0);
  return { status: answer.status, tookMs, retryAfterSeconds, code: answer.body?.code };
}

/** How often each status came: `{ 200: 80 }`. */
export function statuses(sent: readonly Sent[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of sent) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function timesOf(sent: readonly Sent[]): number[] {
  return sent.map(({ tookMs }) => tookMs);
}

/** In a line of the log: `80 × 200, p99 31 ms`. */
export function told(sent: readonly Sent[]): string {
  const counts = Object.entries(statuses(sent)).map(([status, count]) => `${count} × ${status}`);
  return `${counts.join(', ')}, p99 ${quantile(timesOf(sent), 0.99).toFixed(0)} ms`;
}

/**
 * What a neighbour may see of an attack: every answer as in peace, and late by no more than
 * `expectInTime` allows.
 */
export function expectUnharmed(during: readonly Sent[], quiet: readonly Sent[]): void {
  const usual = Object.keys(statuses(quiet));
  expect(usual.every((status) => status.startsWith('2'))).toBe(true);
  expect(Object.keys(statuses(during))).toEqual(usual);
  expectInTime(timesOf(during), timesOf(quiet));
}

/** Below this a quiet time says more about the clock than about the product. */
const LEAST_QUIET_MS = 75;

/**
 * Times beside an attack against quiet ones. The long form has the samples for the 99th percentile:
 * it stays below ten times the quiet one and below a second. Of the few samples of the short form
 * one stall of the machine is the 99th percentile, so there nine of ten have to stay below ten
 * times the quiet ones.
 */
export function expectInTime(during: readonly number[], quiet: readonly number[]): void {
  const part = MINUTES > 0 ? 0.99 : 0.9;
  expect(quantile(during, part)).toBeLessThan(10 * Math.max(LEAST_QUIET_MS, quantile(quiet, part)));
  if (MINUTES > 0) expect(quantile(during, part)).toBeLessThan(1_000);
}

/** The time that a part of the times (0.99: all but one of a hundred) stays below. */
export function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
