import { defineConfig } from 'vitest/config';

/** `npm run test:engines`. Not part of `npm test`, because it downloads the engines. */
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
