import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { DISABLE_PROMISE_STACKS } from '../platform/patches/disable-promise-stacks.ts';

/**
 * Builds the workflow bundle beside the compiled code, so that a worker starts without a bundler.
 * Run by the build: `node dist/worker/bundle.js`.
 */
const target = new URL('../workflow-bundle.js', import.meta.url);
const workflowsPath = fileURLToPath(new URL('../workflows/index.js', import.meta.url));

const { code } = await bundleWorkflowCode({
  workflowsPath,
  // Loaded once and frozen, for all conversations: no module of ours keeps state, and a copy for
  // each took 60 kB of every cached one.
  preloadModules: [workflowsPath],
  // Only problems: the build says by itself what it does.
  logger: {
    log: () => undefined,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: console.warn,
    error: console.error,
  },
});
await mkdir(new URL('.', target), { recursive: true });
// On the first line of the code, so that its source map stays true.
await writeFile(target, `${DISABLE_PROMISE_STACKS}${code}`);
