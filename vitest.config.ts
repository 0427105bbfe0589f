import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, env: { NODE_ENV: 'test' } };

/** Much of these tests is waiting: two files at once, also on two cores. */
const sideBySide = { ...shared, maxWorkers: 2 };

/** Files that end processes or hold times against each other: beside a neighbour they say less. */
const ALONE = [
  'test/api/{limits,probes,process,stream,stream-times,stream-ticket}.test.ts',
  'test/e2e/{events-crash,hostile-events,long-life,rolling-restart,taken-over}.test.ts',
  'test/e2e/{upgrades,without-store-engine,worker-probes,worker-versions,wrong-clocks}.test.ts',
  'test/viewer/reconnect.test.ts',
];

const report = process.env['PARLANCE_TEST_REPORT'];

/**
 * `unit` needs nothing but Node; the others use real servers and real sockets. `integration` has
 * one Temporal server, one store and one product for its whole run (test/support/global-setup.ts):
 * files share the product, each in an organization of its own, or start one in a database and a
 * Temporal namespace of their own. Those of `processes` do so one after the other. `durability`
 * kills its own. What takes the whole machine comes last.
 */
export default defineConfig({
  test: {
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
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
          exclude: ALONE,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 90_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'processes',
          include: ALONE,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 90_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'durability',
          include: ['test/durability/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
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
