import { defineConfig } from 'vitest/config';

/**
 * The configuration of `npm run test:twilio`. `npm test` excludes these tests, because they
 * download Twilio's SDK.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    setupFiles: 'test/support/property-seed.ts',
    include: ['test/twilio/*.test.ts'],
    env: { NODE_ENV: 'test' },
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
