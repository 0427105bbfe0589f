import { defineConfig } from 'vitest/config';

/**
 * `npm run test:compose`: the test files use one cluster, one after the other, and leave the
 * cluster intact. `npm test` excludes these files, because they need root and Docker with compose.
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
