import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, env: { NODE_ENV: 'test' } };

/**
 * Much of these tests is waiting, for processes and for each other: more files at once than there
 * are cores. Files that a worker runs one after the other share what they import, which would take
 * a third of the time.
 */
const sideBySide = { ...shared, isolate: false };
/** One set of servers for the run; each file has an organization or a database of its own. */
const product = {
  globalSetup: 'test/support/global-setup.ts',
  testTimeout: 90_000,
  hookTimeout: 120_000,
};

/**
 * Files that end processes, fill disks, wait for times, fetch or measure, most with a product of
 * their own.
 */
const PROCESSES = [
  'packages/store-engine/test/{crash,damage,disk,wire-fuzz}.test.ts',
  'test/embedded/npx.test.ts',
  'test/api/{limits,probes,process,stream,stream-times,stream-ticket}.test.ts',
  'test/e2e/{start-faults,without-store-engine,worker-probes,wrong-clocks}.test.ts',
  'test/viewer/{console-scale,reconnect}.test.ts',
];
/** Files of `attack` that measure nobody, each with a product of its own. */
const UNMEASURED = ['test/attack/{accounts,hostile-events,tenant-isolation,tokens,unread-answers}.test.ts'];

/**
 * `npm test` runs all but `processes`, `durability`, `attack` and `chaos`, which are
 * `npm run test:resilience` (test/suite.mjs). `unit` needs nothing but Node; the others use real
 * servers and real sockets. Files of `integration` share one product, each in an organization of
 * its own, or start one in a database and a Temporal namespace of their own. Most of `processes` do
 * that. `durability` kills its own. What measures an honest neighbour, or takes the whole machine,
 * comes last and alone.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...sideBySide,
          maxWorkers: 3,
          name: 'store',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: PROCESSES,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...sideBySide,
          maxWorkers: 3,
          name: 'unit',
          include: [
            'test/{concurrency,domain,config,deploy,docs,http,posting,schema,store,support,temporal,worker}/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...sideBySide,
          maxWorkers: 3,
          name: 'deliveries',
          include: ['test/{deliveries,activities,expressions,replay}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...sideBySide,
          maxWorkers: 3,
          name: 'embedded',
          include: ['test/embedded/*.test.ts'],
          exclude: PROCESSES,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...sideBySide,
          ...product,
          maxWorkers: 4,
          name: 'integration',
          include: ['test/{api,bench,workflows,e2e,viewer,examples,client,guides}/**/*.test.ts'],
          exclude: PROCESSES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...sideBySide,
          ...product,
          maxWorkers: 3,
          name: 'processes',
          include: PROCESSES,
          testTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          ...product,
          name: 'durability',
          include: ['test/durability/**/*.test.ts', ...UNMEASURED],
          testTimeout: 180_000,
          // A process that gets no time looks like one that died, and is rightly replaced.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          ...product,
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
          exclude: UNMEASURED,
          testTimeout: 180_000,
          // An honest neighbour's latency is measured: nothing else may run beside it.
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...shared,
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          ...shared,
          ...product,
          name: 'load',
          include: ['test/load/**/*.test.ts'],
          testTimeout: 600_000,
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
});
