import { defineConfig } from 'vitest/config';

/**
 * `npm run test:compose`: the files share one cluster, one after the other, and leave it intact.
 * `npm test` excludes it, because it needs Docker with compose, and root.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/compose/*.test.ts', 'test/e2e/operations.test.ts'],
    globalSetup: 'test/compose/global-setup.ts',
    pool: 'forks',
    fileParallelism: false,
    env: { NODE_ENV: 'test' },
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
  },
});
