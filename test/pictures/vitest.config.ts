import { defineConfig } from 'vitest/config';

/**
 * The configuration of `npm run test:pictures`. `npm test` excludes these tests, because fonts and
 * browsers draw the same page differently.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: 'test/support/global-setup.ts',
    include: ['test/pictures/*.test.ts'],
    env: { NODE_ENV: 'test' },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
