import { delimiter, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FOLDER } from './toolbox.ts';

/**
 * The configuration of `npm run test:clients`. `npm test` excludes these tests, because they
 * download the generators.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/generators/*.test.ts', 'packages/client/test/runtimes.test.ts'],
    globalSetup: ['test/generators/toolbox.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    env: {
      NODE_ENV: 'test',
      CLIENT_NODE_VERSIONS: '22.23.3 24.9.0',
      PATH: [resolve(FOLDER, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
