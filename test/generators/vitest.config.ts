import { defineConfig } from 'vitest/config';

/** `npm run test:clients`: not of `npm test`, because it fetches the generators. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/generators/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    pool: 'forks',
    env: { NODE_ENV: 'test' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
