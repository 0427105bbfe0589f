import { defineConfig } from 'vitest/config';

/**
 * The configuration of `npm run test:kubernetes`. `npm test` excludes these tests, because they
 * download the schemas of Kubernetes.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/kubernetes/*.test.ts'],
    env: { NODE_ENV: 'test' },
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
