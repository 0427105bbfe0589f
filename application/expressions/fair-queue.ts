import { hasFairShare, createUsage } from '../../domain/limits/shares.ts';
import type { TenantPath } from '../../domain/limits/shares.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { LIMITS } from './protocol.ts';

/** Branches of the tenant tree take turns, so a busy tenant does not delay others. */
export interface FairQueue<T> {
  /** Adds an item. Returns false if the tenant's fair share of `max` is used up. */
  add: (line: TenantPath, item: T) => boolean;
  /** Returns the next item of a tenant that `may` take a turn. */
  next: (may: (line: TenantPath) => boolean) => T | undefined;
  remove: (line: TenantPath, item: T) => void;
  waiting: (node: string) => number;
}

interface TenantQueue<T> {
  line: TenantPath;
  items: T[];
}

export function createFairQueue<T>(max: number): FairQueue<T> {
  const lines = new Map<string, TenantQueue<T>>();
  const waiting = createUsage();
  const turns = createOrder();

  function leave({ line, items }: TenantQueue<T>): void {
    waiting.add(line, -1);
    if (items.length === 0) lines.delete(formatKey(line));
    turns.forget(line.filter((node) => waiting.of(node) === 0));
  }

  return {
    add(line, item) {
      if (!hasFairShare(line, waiting, max)) return false;
      turns.moveToEnd(line.filter((node) => waiting.of(node) === 0));
      waiting.add(line, 1);
      const known = lines.get(formatKey(line)) ?? { line, items: [] };
      known.items.push(item);
      lines.set(formatKey(line), known);
      return true;
    },
    next(may) {
      let first: TenantQueue<T> | undefined;
      for (const one of lines.values()) {
        if (may(one.line) && (!first || turns.isBefore(one.line, first.line))) first = one;
      }
      if (!first) return undefined;
      const item = first.items.shift();
      turns.moveToEnd(first.line);
      leave(first);
      return item;
    },
    remove(line, item) {
      const known = lines.get(formatKey(line));
      const at = known?.items.indexOf(item) ?? -1;
      if (!known || at < 0) return;
      known.items.splice(at, 1);
      leave(known);
    },
    waiting: waiting.of,
  };
}

/** Puts the node that has waited longest first, at each level. */
function createOrder() {
  const turns = new Map<string, number>();
  let latest = 0;
  const getTurn = (node: string | undefined) => turns.get(node ?? '') ?? 0;
  return {
    moveToEnd(nodes: TenantPath): void {
      latest += 1;
      for (const node of nodes) turns.set(node, latest);
    },
    forget(nodes: TenantPath): void {
      for (const node of nodes) turns.delete(node);
    },
    isBefore(one: TenantPath, other: TenantPath): boolean {
      const level = one.findIndex((node, at) => node !== other[at]);
      return getTurn(one[level]) < getTurn(other[level]);
    },
  };
}

function formatKey(line: TenantPath): string {
  return line.join('#');
}

/** Decides which tenants may use a process of the pool. */
export interface Turns {
  may: (line: TenantPath) => boolean;
  /** Starts a run. Returns a function to call at its end. */
  begin: (line: TenantPath) => () => void;
  note: (line: TenantPath, costMs: number) => void;
}

const MAX_SLOW = 10_000;

/**
 * Never gives a branch all processes. Tenants with a recent run over `LIMITS.slowMs`, with the
 * nodes above and below them, leave one running process free, because a killed process takes time
 * to replace. Quick tenants then never wait for slow tenants only.
 */
export function createTurns(size: number, alive: () => number, now = () => performance.now()): Turns {
  const max = Math.max(1, size - 1);
  const running = createUsage();
  const slowUntil = lruMap<string, number>(MAX_SLOW);
  let slowRunning = 0;

  const leavesOne = () => alive() - slowRunning > 1;

  const isSlow = (line: TenantPath) =>
    line.some((node, level) => level > 0 && (slowUntil.peek(node) ?? 0) > now());

  return {
    may: (line) => running.of(getBranch(line)) < max && (size === 1 || leavesOne() || !isSlow(line)),
    begin(line) {
      const slow = isSlow(line) ? 1 : 0;
      slowRunning += slow;
      running.add(line, 1);
      return () => {
        slowRunning -= slow;
        running.add(line, -1);
      };
    },
    note(line, costMs) {
      if (costMs <= LIMITS.slowMs) return;
      // Skip the root, which is above all tenants.
      for (const node of line.slice(1)) slowUntil.set(node, now() + LIMITS.slowForMs);
    },
  };
}

function getBranch(line: TenantPath): string {
  return line[1] ?? line[0] ?? '';
}
