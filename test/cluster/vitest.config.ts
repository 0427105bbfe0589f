import { defineConfig } from 'vitest/config';

const timeouts = { testTimeout: 180_000, hookTimeout: 180_000 };

/**
 * `npm run test:cluster`: runs the tests on a Temporal server with PostgreSQL. `npm test` excludes
 * this run, because the run builds the server and needs PostgreSQL.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/cluster/global-setup.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'one-of-each',
          // One API: an API process sees its own changes at once, other processes see them within
          // five seconds.
          include: ['test/{api,guides}/**/*.test.ts'],
          env: { NODE_ENV: 'test' },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'two-of-each',
          include: ['test/{workflows,e2e,durability,replay}/**/*.test.ts'],
          exclude: [
            // These tests use the files of the embedded server.
            'test/durability/{drill,lost-temporal,restored}.test.ts',
            'test/e2e/{readme,without-store-engine}.test.ts',
          ],
          env: { NODE_ENV: 'test', PARLANCE_TEST_TWO_OF_EACH: 'yes' },
          ...timeouts,
        },
      },
    ],
  },
});
