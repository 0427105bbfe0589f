import { defineConfig } from 'vitest/config';

/**
 * `npm run test:cluster`: what is promised of conversations, deliveries and events holds where
 * Temporal is a server on PostgreSQL. Not of `npm test`: it builds the server and needs PostgreSQL.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/{api,workflows,e2e,durability,replay,guides}/**/*.test.ts'],
    exclude: [
      // Of the files of the embedded server.
      'test/durability/{drill,lost-temporal,restored}.test.ts',
      'test/e2e/{readme,without-store-engine}.test.ts',
    ],
    globalSetup: ['test/cluster/global-setup.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    env: { NODE_ENV: 'test' },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
