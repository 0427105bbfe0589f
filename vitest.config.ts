import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, env: { NODE_ENV: 'test' } };

/**
 * Two projects: `unit` needs nothing but Node (rules, parsers, units of each folder); `real` runs against one Temporal server and one
 * store for the whole run (test/support/global-setup.ts), isolated by organization or database.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/{domain,config,support}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'deliveries',
          include: ['test/{webhooks,activities}/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'embedded',
          include: ['test/embedded/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/{e2e,workflows}/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 90_000,
          // Each file runs processes of its own; two files at once would only wait for each other's CPU.
          fileParallelism: false,
        },
      },
    ],
  },
});
