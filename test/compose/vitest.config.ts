import { defineConfig } from 'vitest/config';

/** `npm run test:compose`: not of `npm test`, because it needs Docker with compose, and root. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/compose/*.test.ts'],
    pool: 'forks',
    env: { NODE_ENV: 'test' },
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
  },
});
