import { defineConfig } from 'vitest/config';

/**
 * `npm run test:compose`: one cluster, which its files use one after the other and leave whole. Not
 * of `npm test`, because it needs Docker with compose, and root.
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
