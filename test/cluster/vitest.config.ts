import { defineConfig } from 'vitest/config';

const shared = {
  setupFiles: 'test/support/property-seed.ts',
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

/**
 * `npm run test:cluster`: runs the tests listed below on a Temporal server with PostgreSQL. Not
 * part of `npm test`, because it builds that server and needs PostgreSQL.
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
          // These tests run with one API. An API process sees its own changes at once, and changes
          // of other processes within five seconds.
          include: ['test/{api,guides}/**/*.test.ts'],
          env: { NODE_ENV: 'test' },
          ...shared,
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
          ...shared,
        },
      },
    ],
  },
});
