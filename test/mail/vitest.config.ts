import { defineConfig } from 'vitest/config';

/**
 * The configuration of `npm run test:mail`. `npm test` excludes these tests, because they need root
 * and programs of Debian.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/mail/*.test.ts'],
    env: { NODE_ENV: 'test' },
    testTimeout: 240_000,
    hookTimeout: 600_000,
  },
});
