import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, env: { NODE_ENV: 'test' } };

/** Much of these tests is waiting: two files at once, also on two cores. */
const sideBySide = { ...shared, maxWorkers: 2 };

/** Files that end processes, fill memory or wait for times, each with a product of its own. */
const PROCESSES = [
  'test/api/{limits,probes,process,stream,stream-times,stream-ticket}.test.ts',
  'test/e2e/{events-crash,hostile-events,long-life,rolling-restart,taken-over}.test.ts',
  'test/e2e/{upgrades,without-store-engine,worker-probes,worker-versions,wrong-clocks}.test.ts',
  'test/viewer/reconnect.test.ts',
  'test/attack/{accounts,tenant-isolation,tokens,unread-answers}.test.ts',
];

/**
 * `unit` needs nothing but Node; the others use real servers and real sockets. `integration` has
 * one Temporal server, one store and one product for its whole run (test/support/global-setup.ts):
 * files share the product, each in an organization of its own, or start one in a database and a
 * Temporal namespace of their own. All of `processes` do that. `durability` kills its own. What
 * measures an honest neighbour, or takes the whole machine, comes last and alone.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...sideBySide,
          name: 'store',
          include: ['packages/*/test/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...sideBySide,
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
          name: 'deliveries',
          include: ['test/{deliveries,activities,expressions,replay}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...sideBySide,
          name: 'embedded',
          include: ['test/embedded/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...sideBySide,
          name: 'integration',
          include: ['test/{api,workflows,e2e,viewer,examples,client,guides}/**/*.test.ts'],
          exclude: PROCESSES,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 90_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...sideBySide,
          name: 'processes',
          include: PROCESSES,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...sideBySide,
          name: 'durability',
          include: ['test/durability/**/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
          exclude: PROCESSES,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 120_000,
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
    ],
  },
});
