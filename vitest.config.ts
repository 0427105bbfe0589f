import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, env: { NODE_ENV: 'test' } };

const report = process.env['PARLANCE_TEST_REPORT'];

/**
 * `unit` needs nothing but Node; the others use real servers and real sockets. `integration` has
 * one Temporal server and one store for its whole run (test/support/global-setup.ts), isolated by
 * database; `durability` kills its own. What takes the whole machine comes last.
 */
export default defineConfig({
  test: {
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        test: {
          ...shared,
          name: 'store',
          include: ['packages/*/test/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            'test/{domain,config,deploy,docs,http,posting,schema,store,support,temporal,worker}/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'deliveries',
          include: ['test/{deliveries,activities,expressions,replay}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'embedded',
          include: ['test/embedded/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['test/{api,workflows,e2e,viewer,examples}/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 90_000,
          hookTimeout: 120_000,
          // Each file runs processes of its own; two files at once would only wait for each other's
          // CPU.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
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
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // An honest neighbour's latency is measured: nothing else may run beside it.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'chaos',
          include: ['test/chaos/**/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
