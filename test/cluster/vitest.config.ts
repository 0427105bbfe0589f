import { defineConfig } from 'vitest/config';

const timeouts = { testTimeout: 180_000, hookTimeout: 180_000 };

/**
 * `npm run test:cluster`: what is promised of conversations, deliveries and events holds where
 * Temporal is a server on PostgreSQL. Not of `npm test`: it builds the server and needs PostgreSQL.
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
          // One API: what an API process changed, it sees at once, others within five seconds.
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
            // Of the files of the embedded server.
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
