import { defineConfig } from 'vitest/config';

/**
 * The configuration of `npm run test:bucket`. `npm test` excludes these tests, because they
 * download the gateway.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/bucket/*.test.ts'],
    env: { NODE_ENV: 'test' },
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
  },
});
