import { defineConfig } from 'vitest/config';

/**
 * The configuration of `npm run test:engines`. `npm test` excludes these tests, because they
 * download the engines.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/engines/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    env: { NODE_ENV: 'test' },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
