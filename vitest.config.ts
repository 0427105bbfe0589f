import { defineConfig } from 'vitest/config';

/** Time limit that ends tests that hang. Long, because a machine may stall for seconds. */
const TIMEOUT_MS = 240_000;
/** Test files in the same worker process share its imported modules (`isolate: false`). */
const sideBySide = {
  pool: 'forks' as const,
  env: { NODE_ENV: 'test' },
  setupFiles: 'test/support/property-seed.ts',
  isolate: false,
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  expect: { poll: { timeout: TIMEOUT_MS / 2 } },
  // Caches compiled test files on disk, by their content.
  experimental: { fsModuleCache: true },
};
/** Twice the cores of the machine that `.ci/run` is measured on: tests wait half of their time. */
const everyday = { ...sideBySide, maxWorkers: 4, sequence: { groupOrder: 0 } };
const resilience = { ...sideBySide, maxWorkers: 4, sequence: { groupOrder: 1 } };
/** Attackers saturate the machine on purpose. */
const attack = { ...sideBySide, maxWorkers: 2, sequence: { groupOrder: 2 } };
const product = {
  globalSetup: 'test/support/global-setup.ts',
};

/** Files that kill processes, fill disks, fetch packages or start whole products. */
const PROCESSES = [
  'packages/store-engine/test/{crash,damage,disk,wire-fuzz}.test.ts',
  'test/deploy/local/npx.test.ts',
  'test/api/{limits,probes,process,stream,stream-times,stream-ticket}.test.ts',
  'test/e2e/{start-faults,without-store-engine,worker-probes,wrong-clocks}.test.ts',
  'test/web/{console-scale,reconnect}.test.ts',
];

/**
 * Floods that take more than a minute, for `--long` and the load run. Other tests of test/attack
 * and test/api/admission-queue.test.ts prove the same limits every day.
 */
const LONG_ATTACKS = 'test/attack/{events-flood,hot-channel}.test.ts';

/**
 * Projects of test/suite.mjs. Files of projects with `product` share one Temporal server, one store
 * and one product, with one organization per file, or start a product with its own database and
 * Temporal namespace. Only `load` measures times, so all other files may run at the same time.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...everyday,
          name: 'unit',
          include: [
            'packages/*/test/**/*.test.ts',
            'test/{activities,application,deliveries,deploy,docs,domain}/**/*.test.ts',
            'test/{platform,replay,schema,store,support,worker}/**/*.test.ts',
            'test/workflows/client/*.test.ts',
          ],
          exclude: PROCESSES,
        },
      },
      {
        test: {
          ...everyday,
          ...product,
          name: 'integration',
          include: [
            'test/{api,bench,e2e,web,examples,client,guides}/**/*.test.ts',
            'test/workflows/*.test.ts',
          ],
          exclude: PROCESSES,
        },
      },
      {
        test: {
          ...resilience,
          ...product,
          name: 'durability',
          include: [...PROCESSES, 'test/durability/**/*.test.ts'],
        },
      },
      {
        test: {
          ...attack,
          ...product,
          name: 'attack',
          include: ['test/attack/**/*.test.ts'],
          exclude: process.env['PARLANCE_LONG'] ? [] : [LONG_ATTACKS],
        },
      },
      { test: { ...resilience, name: 'chaos', include: ['test/chaos/**/*.test.ts'] } },
      {
        test: {
          ...sideBySide,
          ...product,
          name: 'load',
          // The wire fuzz test measures latencies only in `npm run test:load`.
          include: ['test/load/**/*.test.ts', 'packages/store-engine/test/wire-fuzz.test.ts'],
          testTimeout: 600_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
