import { defineConfig } from 'vitest/config';

/** The configuration of `npm run test:time`, which downloads Temporal's test server. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    setupFiles: 'test/support/property-seed.ts',
    include: ['test/time-skipping/*.test.ts'],
    pool: 'forks',
    env: { NODE_ENV: 'test' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
